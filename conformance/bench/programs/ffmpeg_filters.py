#!/usr/bin/env python3
"""ffmpeg's OpenCL filters on several platforms: their pictures compared, and the time of a frame.

    ffmpeg_filters.py [--size 1920x1080] [--frames 60] [--rounds 3] NAME=VENDORS ... [-- PART OF A FILTER'S NAME ...]

NAME=VENDORS: a platform's name in the table and the folder of its .icd file; the first is compared with the others. Three frames go through
each filter and back; the table says by how much the pictures of the others differ from the first's (the greatest difference of a byte, and
the mean). A frame's time is that of many frames less that of two, by frames, of one frame kept on the device, without the way back: uploads
and the program's start are not in it. The first run's seconds count from nothing cached. Needs Debian's ffmpeg.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

TEN_BITS = "format=p010,setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc,"
BOX = "1 1 1 1 1 1 1 1 1"
WAVES = r"""
__kernel void waves(__write_only image2d_t out, unsigned int frame) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float2 p = convert_float2(at) * 0.05f;
  float v = 0.5f + 0.25f * (sin(p.x + frame) + cos(p.y - p.x));
  write_imagef(out, at, (float4)(v, v * v, 1.0f - v, 1.0f));
}
__kernel void swirl(__write_only image2d_t out, unsigned int frame, __read_only image2d_t in) {
  const sampler_t linear_ = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float2 size = convert_float2(get_image_dim(in)), d = convert_float2(at) - size * 0.5f;
  float turn = 40.0f / (10.0f + length(d));
  float2 p = (float2)(d.x * cos(turn) - d.y * sin(turn), d.x * sin(turn) + d.y * cos(turn)) + size * 0.5f;
  write_imagef(out, at, read_imagef(in, linear_, p + 0.5f));
}
__kernel void mixed(__write_only image2d_t out, unsigned int frame, __read_only image2d_t a, __read_only image2d_t b) {
  const sampler_t near_ = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 x = read_imagef(a, near_, at), y = read_imagef(b, near_, at);
  write_imagef(out, at, fabs(x - y) + 0.5f * fmin(x, y));
}
"""
# name -> (format of the input, filter, inputs)
FILTERS = {
    "avgblur 3": ("yuv420p", "avgblur_opencl=sizeX=3", 1),
    "avgblur 20 by 5": ("yuv420p", "avgblur_opencl=sizeX=20:sizeY=5", 1),
    "boxblur": ("yuv420p", "boxblur_opencl=luma_radius=4:luma_power=2", 1),
    "convolution 3x3": ("yuv420p", f"convolution_opencl=0m='{BOX}':1m='{BOX}':2m='{BOX}':0rdiv=0.1111:1rdiv=0.1111:2rdiv=0.1111", 1),
    "convolution 5x5": ("yuv420p", "convolution_opencl=0m='" + "1 2 3 2 1 " * 5 + "':0rdiv=0.022", 1),
    "convolution 7x7, RGBA": ("rgba", "convolution_opencl=0m='" + "1 2 3 4 3 2 1 " * 7 + "':0rdiv=0.009", 1),
    "sobel": ("yuv420p", "sobel_opencl=scale=2", 1),
    "prewitt": ("yuv420p", "prewitt_opencl", 1),
    "roberts": ("yuv420p", "roberts_opencl=scale=3:delta=2", 1),
    "erosion": ("yuv420p", "erosion_opencl=threshold0=60", 1),
    "dilation": ("yuv420p", "dilation_opencl=coordinates=90", 1),
    "nlmeans 3, 7": ("yuv420p", "nlmeans_opencl=s=4:p=3:r=7", 1),
    "nlmeans 7, 5": ("yuv420p", "nlmeans_opencl=s=8:p=7:r=5:pc=3:rc=3", 1),
    "unsharp 5": ("yuv420p", "unsharp_opencl", 1),
    "unsharp 13, chroma 7": ("yuv420p", "unsharp_opencl=lx=13:ly=13:la=1.5:cx=7:cy=7:ca=-0.5", 1),
    "unsharp 23": ("yuv420p", "unsharp_opencl=lx=23:ly=23", 1),
    "colorkey": ("rgba", "colorkey_opencl=0x20a040:0.3:0.2", 1),
    "colorkey, no blend": ("rgba", "colorkey_opencl=0x20a040:0.3", 1),
    "overlay": ("yuv420p", "overlay_opencl=100:50", 2),
    "overlay, alpha": ("yuva420p", "overlay_opencl=100:50", 2),
    "pad": ("yuv420p", "pad_opencl=w=iw+64:h=ih+32:x=20:y=10:color=red", 1),
    "tonemap hable": (TEN_BITS, "tonemap_opencl=tonemap=hable:format=nv12:transfer=bt709:primaries=bt709:matrix=bt709", 1),
    "tonemap mobius": (TEN_BITS, "tonemap_opencl=tonemap=mobius:format=p010:desat=0", 1),
    "tonemap reinhard": (TEN_BITS, "tonemap_opencl=tonemap=reinhard:format=nv12:peak=10", 1),
    "transpose": ("yuv420p", "transpose_opencl=dir=clock", 1),
    "transpose, cclock flip": ("rgba", "transpose_opencl=dir=cclock_flip", 1),
    "xfade fade": ("yuv420p", "xfade_opencl=duration=10:offset=0", 2),
    "xfade wipeleft": ("yuv420p", "xfade_opencl=transition=wipeleft:duration=10:offset=0", 2),
    "xfade slideup": ("yuv420p", "xfade_opencl=transition=slideup:duration=1:offset=0", 2),
    "deshake": ("yuv420p", "deshake_opencl", 1),
    "program, swirl": ("rgba", "program_opencl=source={source}:kernel=swirl", 1),
    "program, two": ("yuv444p", "program_opencl=source={source}:kernel=mixed:inputs=2", 2),
    "openclsrc": ("rgba", "openclsrc=source={source}:kernel=waves:size={size}:format=rgba", 0),
    "remap": ("yuv420p", "remap_opencl", 3),
}


def graph(case, size, source, frames, back):
    """The filter graph: pictures are made, go to the device, one stays there if nothing goes back."""
    form, work, inputs = FILTERS[case]
    form = form if form.endswith(",") else f"format={form},"
    work = work.format(source=source, size=size)
    keep = "" if back else f",loop=loop={frames}:size=1:start=0"
    pictures = [f"testsrc2=s={size}:r=25,noise=all_seed=7:alls=20:allf=t,", f"mandelbrot=s={size}:r=25,", f"testsrc=s={size}:r=25,"]
    if "remap" in work:
        maps = "nullsrc=s={}:r=25,format=gray16le,geq=lum='{}',"
        pictures = [pictures[0], maps.format(size, "mod(X*3/4+100\\,W)"), maps.format(size, "mod(Y+X/10\\,H)")]
    elif "deshake" in work:
        pictures = [f"testsrc2=s={size}:r=25,rotate=0.01*sin(n):fillcolor=gray,"]
    text, names = "", ""
    for i in range(inputs):
        convert = "" if "remap" in work and i else form
        text += f"{pictures[i]}{convert}hwupload{keep}[i{i}];"
        names += f"[i{i}]"
    out = ",hwdownload,format=" + ("rgba" if "rgba" in form or inputs == 0 else "nv12" if "nv12" in work else "p010" if "p010" in form else
                                   form.split("=")[1].split(",")[0]) if back else ""
    return f"{text}{names}{work}{out}"


def command(case, arguments, source, frames, file):
    back = file is not None
    sink = ["-f", "rawvideo", "-y", file] if back else ["-f", "null", "-"]
    device = ["-init_hw_device", "opencl=ocl:0.0", "-filter_hw_device", "ocl"]
    return ["ffmpeg", "-hide_banner", "-v", "error", "-nostdin"] + device + ["-filter_complex",
            graph(case, arguments.size, source, frames, back), "-frames:v", str(frames)] + sink


def run(command, environment):
    start = time.monotonic()
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    return time.monotonic() - start, done.returncode, done.stderr.strip()


def frame_time(case, arguments, source, environment):
    """Milliseconds a frame, the shortest of the rounds; many more frames where some are over at once."""
    seconds = lambda frames: min(run(command(case, arguments, source, frames, None), environment)[0] for _ in range(arguments.rounds))
    few, frames = seconds(2), arguments.frames
    taken = seconds(frames + 2) - few
    if taken < 0.4:
        frames *= 20
        taken = seconds(frames + 2) - few
    return taken / frames * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--frames", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--no-times", action="store_true")
    parser.add_argument("--only", default="", help="parts of filters' names, with commas")
    parser.add_argument("platforms", nargs="+", metavar="NAME=VENDORS")
    arguments = parser.parse_args()
    platforms = dict(p.split("=", 1) for p in arguments.platforms)
    first, *others = platforms
    print("| filter | " + " | ".join(f"{n}, ms | first run, s" for n in platforms) + " | best other by the first | " +
          " | ".join(f"differs from {n}" for n in others) + " |\n|---|" + "---:|" * (2 * len(platforms) + 1 + len(others)))
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        source = folder + "/source.cl"
        with open(source, "w") as text:
            text.write(WAVES)
        for case in FILTERS:
            if not any(part in case for part in arguments.only.split(",")):
                continue
            pictures, firsts, errors, times, environments = {}, {}, {}, {}, {}
            for name, vendors in platforms.items():
                cache = f"{folder}/{name}-{case}"
                environments[name] = dict(os.environ, OCL_ICD_VENDORS=vendors, WEFT_CACHE_DIR=cache, POCL_CACHE_DIR=cache)
                file = folder + "/out.raw"
                firsts[name], status, message = run(command(case, arguments, source, 3, file), environments[name])
                if status or os.path.getsize(file) == 0:
                    errors[name] = f"status {status}: {message[-200:]}"
                    continue
                pictures[name] = np.fromfile(file, np.uint8).astype(np.int16)
                os.remove(file)
            for name in pictures if not arguments.no_times else []:
                times[name] = frame_time(case, arguments, source, environments[name])
            cells = [f"{times.get(n, 0):.2f} | {firsts[n]:.2f}" if n not in errors else "fails |" for n in platforms]
            peers = [times[n] for n in others if n in times]
            ratio = min(peers) / times[first] if peers and times.get(first, 0) > 0 else 0
            if ratio > 0:
                ratios.append(ratio)
            differs = []
            for n in others:
                if n in pictures and first in pictures and pictures[n].size == pictures[first].size:
                    d = np.abs(pictures[n] - pictures[first])
                    differs.append(f"{d.max()} ({d.mean():.3g})")
                else:
                    differs.append("?")
            print(f"| {case} | " + " | ".join(cells) + f" | {ratio:.2f} | " + " | ".join(differs) + " |", flush=True)
            for n, e in errors.items():
                print(f"    {n}: {e}", file=sys.stderr, flush=True)
    if ratios:
        print(f"\ngeometric mean {np.exp(np.mean(np.log(ratios))):.2f}")


if __name__ == "__main__":
    main()
