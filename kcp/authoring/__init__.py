"""What a publisher uses: validate, and later init, discover and watch."""
