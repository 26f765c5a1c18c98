#!/bin/bash
# The packages in clean environments: makes each by its one command, installs it where nothing else of Weft is, runs programs there, and
# prints what it did. The exit status is the number of steps that failed. Needs `.ci/install-packages --all`, root (for the .deb's Debian)
# and the network.
#
#   conformance/packages.sh [deb] [wheel] [tarball]     all of them without an argument
#
# PYTHON: the Python of the virtual environment (default python3). MIRROR: where debootstrap gets Debian (default its own).
cd "$(dirname "$0")/.."
build=$PWD/build/release packages=$PWD/build/release/packages
work=$(mktemp -d)
failed=0
[ $# -eq 0 ] && set -- deb wheel tarball

# step WHAT COMMAND...: runs it; prints what it printed last.
step() {
  local what=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    printf 'ok      %s\n' "$what"
    tail -n "${LINES_SHOWN:-1}" "$work/log" | cut -c1-140 | sed 's/^/          /'
  else
    printf 'FAILED  %s: %s\n' "$what" "$*"
    tail -n 15 "$work/log" | sed 's/^/          /'
    failed=$((failed + 1))
    return 1
  fi
}

cat >"$work/first.py" <<'END'
import numpy as np, pyopencl as cl
devices = [d for p in cl.get_platforms() for d in p.get_devices() if p.name == "Weft"]
context = cl.Context(devices[:1])
queue = cl.CommandQueue(context)
program = cl.Program(context, "kernel void twice(global float* a) { a[get_global_id(0)] *= 2; }").build()
host = np.arange(1 << 16, dtype=np.float32)
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=host)
program.twice(queue, host.shape, None, buffer)
result = np.empty_like(host)
cl.enqueue_copy(queue, result, buffer)
assert (result == 2 * host).all()
print("twice:", devices[0].name, devices[0].max_compute_units, "compute units")
END

# For weftc: the compiler by itself, with a builtin of the library beside it.
echo 'kernel void wave(global float* a) { a[get_global_id(0)] = sin(a[get_global_id(0)]); }' >"$work/wave.cl"

deb() {
  step "package-deb" cmake --build "$build" --target package-deb || return
  local file
  file=$(ls -t "$packages"/weft-opencl-icd_*.deb | head -1)
  step "lintian $(basename "$file")" lintian --fail-on error,warning --no-tag-display-limit "$file"
  LINES_SHOWN=12 step "what it is" dpkg-deb -f "$file" Package Version Depends Provides Recommends Installed-Size
  local root=$work/root
  step "debootstrap bookworm" debootstrap --variant=minbase bookworm "$root" ${MIRROR:+"$MIRROR"} || return
  cp "$file" "$root/root/weft.deb"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  # Scripts of packages want these, and programs /proc.
  for mount in proc dev sys; do mount --rbind --make-rslave "/$mount" "$root/$mount"; done
  trap 'umount -lR "$work"/root/{proc,dev,sys} 2>/dev/null; rm -rf --one-file-system "$work"' EXIT
  local inside=(chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive)
  step "apt update there" "${inside[@]}" apt-get update
  step "apt install ./weft.deb clinfo there" "${inside[@]}" apt-get install -y --no-install-recommends /root/weft.deb clinfo ocl-icd-libopencl1
  LINES_SHOWN=2 step "clinfo -l there" "${inside[@]}" clinfo -l
  step "Weft is what satisfies opencl-icd" "${inside[@]}" sh -c 'dpkg-query -W -f "\${Package} \${Provides}\n" weft-opencl-icd | grep opencl-icd'
  step "apt install python3-pyopencl man-db and compilers there" "${inside[@]}" apt-get install -y --no-install-recommends python3-pyopencl man-db \
    opencl-headers ocl-icd-opencl-dev gcc libc6-dev pkg-config
  cp "$work/first.py" "$root/root/first.py"
  step "a kernel there" "${inside[@]}" python3 /root/first.py
  cp conformance/spirv_check.py "$work/wave.cl" "$root/root/"
  step "a kernel from SPIR-V there" "${inside[@]}" python3 /root/spirv_check.py
  step "weftc there" "${inside[@]}" sh -c 'cd /root && weftc --emit=asm wave.cl -o wave.s && grep -c mm wave.s'
  step "weftprof there" "${inside[@]}" sh -c 'cd /root && weftprof -o page.html python3 first.py && grep -q "twice" page.html'
  step "man weftprof there" "${inside[@]}" sh -c 'man -P cat weftprof | head -4 && man -P cat weftc >/dev/null'
  cp conformance/counters/counters_check.c "$root/root/"
  step "a C program by pkg-config there" "${inside[@]}" sh -c \
    'cd /root && gcc counters_check.c $(pkg-config --cflags --libs weft-opencl) -o counters_check && ./counters_check'
  step "apt remove there" "${inside[@]}" sh -c 'apt-get remove -y weft-opencl-icd && test ! -e /usr/lib/weft'
}

wheel() {
  step "package-wheel" cmake --build "$build" --target package-wheel || return
  local file env=$work/env
  file=$(ls -t "$packages"/weft_opencl-*.whl | head -1)
  LINES_SHOWN=4 step "auditwheel show" "$build/packaging/tools/bin/auditwheel" show "$file"
  step "a virtual environment" "${PYTHON:-python3}" -m venv "$env"
  step "pip install the wheel and pyopencl of PyPI" "$env/bin/pip" install --quiet "$file" pyopencl
  LINES_SHOWN=20 step "pip list" "$env/bin/pip" list
  # As somebody who is not root, with nothing in the environment.
  local run=(env -i PATH=/usr/bin:/bin HOME="$work/home")
  mkdir "$work/home"
  cp "$work/first.py" "$work/home"
  if [ "$(id -u)" -eq 0 ]; then
    chmod 755 "$work"
    chown -R nobody "$work/home"
    run=(setpriv --reuid nobody --clear-groups "${run[@]}")
    # The environment's Python may lie where only root reads.
    "${run[@]}" "$env/bin/python" -c 1 2>/dev/null || run=(env -i PATH=/usr/bin:/bin HOME="$work/home")
  fi
  step "a kernel in it" "${run[@]}" "$env/bin/python" "$work/home/first.py"
  cp conformance/spirv_check.py "$work/home"
  step "a kernel from SPIR-V in it" "${run[@]}" "$env/bin/python" "$work/home/spirv_check.py"
  step "python -m weft script.py" "${run[@]}" "$env/bin/python" -m weft -o "$work/home/page.html" "$work/home/first.py"
  step "weftprof of the environment" "${run[@]}" "$env/bin/weftprof" --help
  cp conformance/packages_check.py "$work/home"
  LINES_SHOWN=6 step "counters of an event, with weft.profile()" "${run[@]}" "$env/bin/python" "$work/home/packages_check.py"
}

tarball() {
  step "package-tarball" cmake --build "$build" --target package-tarball || return
  local file
  file=$(ls -t "$packages"/weft-*-linux-x86_64.tar.gz | head -1)
  mkdir "$work/there"
  step "unpacked" tar xf "$file" -C "$work/there"
  mv "$work"/there/weft-* "$work/a folder"
  local run=(env -i PATH=/usr/bin:/bin HOME="$work/home2")
  mkdir "$work/home2"
  step "weft-run clinfo -l" "${run[@]}" "$work/a folder/bin/weft-run" clinfo -l
  step "weft-run a kernel" "${run[@]}" "$work/a folder/bin/weft-run" /usr/bin/python3 "$work/first.py"
  mv "$work/a folder" "$work/moved"
  step "moved: weft-run a kernel" "${run[@]}" "$work/moved/bin/weft-run" /usr/bin/python3 "$work/first.py"
  step "moved: weftprof" "${run[@]}" "$work/moved/bin/weftprof" -o "$work/page.html" /usr/bin/python3 "$work/first.py"
  step "moved: a kernel from SPIR-V" "${run[@]}" "$work/moved/bin/weft-run" /usr/bin/python3 conformance/spirv_check.py
  step "moved: weftc" "${run[@]}" sh -c 'cd "$0" && moved/bin/weftc --emit=asm wave.cl -o wave.s && grep -c mm wave.s' "$work"
  step "moved: the translator's LLVM is the tree's own" sh -c '! ldd "$0/lib/weft/libweft-spirv.so" | grep LLVM | grep -v "$0"' "$work/moved"
  step "nothing of this machine's build is named" sh -c "! grep -rIl '$build' '$work/moved'"
}

trap 'rm -rf --one-file-system "$work"' EXIT
for package; do
  case $package in deb | wheel | tarball) echo "== $package"; "$package" ;; *) echo "no package $package" >&2; failed=$((failed + 1)) ;; esac
done
exit $failed
