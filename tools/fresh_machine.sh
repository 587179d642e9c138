#!/usr/bin/env bash
# Tries the README on a new Debian: creates one in a folder with debootstrap, installs only the packages that the README
# names, then runs the README's commands from a clone, plays a whole game over HTTP, and runs the tests.
#
#     sudo tools/fresh_machine.sh [SUITE]        # bookworm or trixie; some 12 minutes, 4 GB in $TMPDIR
#
# `make play` gets Rust from rustup, or says that it cannot; in a clean clone it then uses Debian's own. Packages come from
# where this machine's apt, pip and cargo are configured to get them.
set -euo pipefail
cd "$(dirname "$0")/.."
suite=${1:-bookworm}
if ((EUID != 0)) || ! command -v debootstrap >/dev/null; then
    echo "fresh_machine: run it as root, with debootstrap installed (apt-get install debootstrap)" >&2
    exit 2
fi
root=$(mktemp -d -t fresh-machine.XXXXXX)
chmod 755 "$root"
step() { printf '\n=== %s (%d s)\n' "$1" "$SECONDS"; }
running() { # prints the processes in there, or only the ones with a name
    local process
    for process in /proc/[0-9]*; do
        [[ $(readlink "$process/root" || true) == "$root" ]] || continue
        [[ $# == 0 || $(cat "$process/comm") == "$1" ]] && echo "${process#/proc/}"
    done 2>/dev/null || true
}
end() {
    status=$?
    running | xargs -r kill -KILL
    mountpoint -q "$root/proc" && umount "$root/proc"
    mountpoint -q "$root/dev/pts" && umount "$root/dev/pts"
    rm -rf --one-file-system "$root"
    ((status == 0)) || echo "FAILED after $SECONDS s" >&2
    exit "$status"
}
trap end EXIT

# Where this machine's apt gets an archive from, by its label.
archive() { apt-get indextargets --format '$(REPO_URI)' "Label: $1" | head -n 1; }
mirror=$(archive Debian)
mirror=${mirror:-http://deb.debian.org/debian}
security=$(archive Debian-Security)
security=${security:-http://deb.debian.org/debian-security}

# How this machine reaches the registries, in the chroot as well.
mapfile -t settings < <(env | grep -E '^(PIP|UV|CARGO_(HTTP|NET|SOURCE|REGISTR)|RUSTUP_(DIST|UPDATE)|NPM_CONFIG|NODE_EXTRA|SSL_CERT|[a-z]+_proxy|[A-Z]+_PROXY)' || true)
inside() {
    chroot "$root" env -i "${settings[@]}" HOME=/home/player PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
        LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive BROWSER=true "$@"
}
copy() { # as the machine has it, if it has it
    [[ -e $1 ]] || return 0
    mkdir -p "$root$(dirname "$2")"
    cp -rL "$1" "$root$2"
}

step "Debian $suite"
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" || { tail "$root.log" >&2; exit 1; }
rm "$root.log"
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/pts" && mount -t devpts devpts "$root/dev/pts"
{
    echo "deb $mirror $suite main"
    echo "deb $security $suite-security main"
} >"$root/etc/apt/sources.list"
apt-config dump | grep -E '^Acquire::(http|https|ForceIPv)' >"$root/etc/apt/apt.conf.d/90machine" || true
copy /etc/resolv.conf /etc/resolv.conf
copy /etc/pip.conf /etc/pip.conf
copy ~/.config/pip /home/player/.config/pip
copy ~/.config/uv /home/player/.config/uv
copy ~/.npmrc /home/player/.npmrc
copy "${CARGO_HOME:-$HOME/.cargo}/config.toml" /home/player/.cargo/config.toml

step "What the README asks for"
inside apt-get update -qq
inside apt-get install -y -qq python3 python3-venv make gcc >/dev/null
copy /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
git clone --quiet --no-hardlinks . "$root/home/player/kingdomino"
make_in() { inside make -C /home/player/kingdomino "$@"; }

# `make play` until it serves: prints its output, and leaves the address in $address. Status 1 if it ended.
start() {
    make_in play </dev/null >"$root/served" 2>&1 &
    playing=$!
    until address=$(grep -o -m 1 'http://127[^ ]*' "$root/served"); do
        if ! kill -0 "$playing" 2>/dev/null; then
            cat "$root/served"
            return 1
        fi
        sleep 0.2
    done
    cat "$root/served"
}

stop() { # a server that is told to end must end with status 0
    running kingdomino | xargs kill -TERM
    wait "$playing"
}

# Plays at the server that has started, and starts it once more.
play() {
    [[ -s $root/home/player/kingdomino/python/kingdomino/server/static/engine/kingdomino.wasm.br ]]
    step "A whole game over HTTP"
    python3 tools/http_game.py "$address"
    stop
    step "make play again: nothing to build"
    start
    stop
}

step "make play, without Rust"
if start; then
    inside /home/player/kingdomino/.rust/bin/rustc --version
    play
else
    grep -q 'Get it from https://rustup.rs' "$root/served"
fi

step "make play, with Debian's Rust"
git -C "$root/home/player/kingdomino" clean --quiet --force -dx
inside apt-get install -y -qq cargo-web rustc-web rust-web-src lld-22 >/dev/null
inside rustc --version
start
play
[[ ! -e $root/home/player/kingdomino/.rust ]]

step "make test"
make_in test

step "All is well"
