class Chuhe < Formula
  desc "Xiangqi (Chinese chess) engine that speaks UCCI and UCI"
  homepage "HOMEPAGE"
  version "0.2.0"
  license "MIT"

  on_macos do
    on_arm do
      url "ADDRESS/chuhe-0.2.0-aarch64-apple-darwin.tar.gz"
      sha256 "SHA256_MACOS_ARM"
    end
    on_intel do
      url "ADDRESS/chuhe-0.2.0-x86_64-apple-darwin.tar.gz"
      sha256 "SHA256_MACOS_INTEL"
    end
  end
  on_linux do
    on_arm do
      url "ADDRESS/chuhe-0.2.0-aarch64-unknown-linux-musl.tar.gz"
      sha256 "SHA256_LINUX_ARM"
    end
    on_intel do
      url "ADDRESS/chuhe-0.2.0-x86_64-unknown-linux-musl.tar.gz"
      sha256 "SHA256_LINUX_INTEL"
    end
  end

  def install
    bin.install "chuhe"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/chuhe.bash" => "chuhe"
    zsh_completion.install "completions/_chuhe"
    fish_completion.install "completions/chuhe.fish"
    doc.install Dir["docs/*"], "README.zh-CN.md"
  end

  test do
    assert_match "ucciok", pipe_output(bin/"chuhe", "ucci\nquit\n")
  end
end
