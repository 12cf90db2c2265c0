{
  "key_id": "quillmere-compliance-2026",
  "algorithm": "EdDSA",
  "public_key": "MCowBQYDK2VwAyEAnR84Z1hOMMwIhpPKa18F5DY4dxwU2gcyQeMGxm7DdrA=",
  "signature": "p+8ckngPdmToXkKXtnFmsjHua625XwY1dOVlDZVIR44Fgw7w0NlZzPlR1fRHrKsH3kQKEjE4itMj1iWqif6ICA=="
}
