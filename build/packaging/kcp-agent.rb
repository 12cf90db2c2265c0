# Homebrew formula; scripts/fill-packaging puts in what a release has between the @ signs of the template.
class KcpAgent < Formula
  desc "Deterministic, fail-closed planner for knowledge manifests"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "@BASE@/kcp-agent-@VERSION@-darwin-arm64.tar.xz"
      sha256 "@SHA256 darwin-arm64@"
    end
    on_intel do
      url "@BASE@/kcp-agent-@VERSION@-darwin-x86_64.tar.xz"
      sha256 "@SHA256 darwin-x86_64@"
    end
  end
  on_linux do
    on_arm do
      url "@BASE@/kcp-agent-@VERSION@-linux-aarch64.tar.xz"
      sha256 "@SHA256 linux-aarch64@"
    end
    on_intel do
      url "@BASE@/kcp-agent-@VERSION@-linux-x86_64.tar.xz"
      sha256 "@SHA256 linux-x86_64@"
    end
  end

  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"kcp-agent"
    man1.install_symlink libexec/"share/man/man1/kcp-agent.1"
    completions = libexec/"share/completions"
    bash_completion.install_symlink completions/"kcp-agent.bash" => "kcp-agent"
    zsh_completion.install_symlink completions/"_kcp-agent"
    fish_completion.install_symlink completions/"kcp-agent.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/kcp-agent --version")
    (testpath/"knowledge.yaml").write "units: ["
    shell_output("#{bin}/kcp-agent validate knowledge.yaml", 3)
  end
end
