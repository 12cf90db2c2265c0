# Install kcp-agent for one person on Windows, without administrator's rights.
#
#   install.ps1 [-From URL] [-Prefix DIR] [-Sha256 HEX] [-Uninstall]
#
# Fetches the archive for this system from URL, the download page of a release, compares it with the SHA256SUMS
# there (and with HEX, if given), and unpacks it below DIR, %LOCALAPPDATA%\Programs\kcp-agent by default:
#   DIR\VERSION-HASH   the program with all it needs
#   DIR\current        a junction to it; this folder is added to your PATH
# -Uninstall takes it all away.
param(
  # A release has its own address here.
  [string]$From = '@BASE@',
  [string]$Prefix = (Join-Path $env:LOCALAPPDATA 'Programs\kcp-agent'),
  [string]$Sha256 = '',
  [switch]$Uninstall
)
$ErrorActionPreference = 'Stop'
Set-StrictMode -Version Latest
$ProgressPreference = 'SilentlyContinue'

function Stop-Install([string]$Message) {
  [Console]::Error.WriteLine("install.ps1: $Message")
  exit 3
}

function Remove-Junction([string]$Path) {
  # Of a junction only itself may be deleted, never what it leads to.
  if (Test-Path -LiteralPath $Path) { [IO.Directory]::Delete($Path, $false) }
}

function Update-UserPath([string]$Folder, [bool]$Add) {
  $parts = @([Environment]::GetEnvironmentVariable('Path', 'User') -split ';' | Where-Object { $_ -and $_ -ne $Folder })
  if ($Add) { $parts += $Folder }
  [Environment]::SetEnvironmentVariable('Path', ($parts -join ';'), 'User')
}

function Install-Program {
  $From = $From.TrimEnd('/')
  if ($From -notmatch '^(https://|http://(127\.0\.0\.1|localhost):)') {
    Stop-Install 'say where to fetch from with -From and an https:// address'
  }
  $machine = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
  $system = "windows-$($machine.ToLowerInvariant())"
  $scratch = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
  New-Item -ItemType Directory -Path $scratch | Out-Null
  try {
    [Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Tls12
    $sums = Join-Path $scratch 'SHA256SUMS'
    Invoke-WebRequest -UseBasicParsing -Uri "$From/SHA256SUMS" -OutFile $sums
    $pattern = "^([0-9a-f]{64})  (kcp-agent-([0-9][0-9A-Za-z.+-]*)-$system\.zip)$"
    $found = @(Get-Content -LiteralPath $sums | Where-Object { $_ -cmatch $pattern })
    if ($found.Count -ne 1) { Stop-Install "this release has no archive for $system" }
    $null = $found[0] -cmatch $pattern
    $sum, $archive, $version = $Matches[1], $Matches[2], $Matches[3]
    $file = Join-Path $scratch $archive
    Invoke-WebRequest -UseBasicParsing -Uri "$From/$archive" -OutFile $file
    $got = (Get-FileHash -LiteralPath $file -Algorithm SHA256).Hash.ToLowerInvariant()
    if ($got -ne $sum) { Stop-Install "$archive is not what SHA256SUMS says: $got, not $sum" }
    if ($Sha256 -and $got -ne $Sha256.ToLowerInvariant()) { Stop-Install "$archive is not what -Sha256 says: $got" }

    Expand-Archive -LiteralPath $file -DestinationPath $scratch
    $said = & (Join-Path $scratch 'kcp-agent\kcp-agent.exe') --version
    if ($LASTEXITCODE -ne 0 -or $said -ne "kcp-agent $version") { Stop-Install "the program does not run: $said" }
    $place = Join-Path $Prefix "$version-$($sum.Substring(0, 12))"
    $current = Join-Path $Prefix 'current'
    New-Item -ItemType Directory -Force -Path $Prefix | Out-Null
    Remove-Junction $current
    if (Test-Path -LiteralPath $place) { Remove-Item -LiteralPath $place -Recurse -Force }
    Move-Item -LiteralPath (Join-Path $scratch 'kcp-agent') -Destination $place
    New-Item -ItemType Junction -Path $current -Target $place | Out-Null
    Update-UserPath $current $true
    Write-Output "installed kcp-agent ${version}: $current\kcp-agent.exe (in terminals opened from now on)"
  } finally {
    Remove-Item -LiteralPath $scratch -Recurse -Force
  }
}

if ($Uninstall) {
  Remove-Junction (Join-Path $Prefix 'current')
  if (Test-Path -LiteralPath $Prefix) { Remove-Item -LiteralPath $Prefix -Recurse -Force }
  Update-UserPath (Join-Path $Prefix 'current') $false
  Write-Output "removed kcp-agent from $Prefix"
} else {
  Install-Program
}
