# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
# The device tree: what `-machine virt` says of itself, and the CAAM beside it (addresses and interrupts as in
# attach.cc). Sourced by boot.sh.

# caam_nodes PAGE RINGS ERA: the CAAM and its job rings as device tree source. Names are those of LS1046A's tree.
caam_nodes() {
  local page=$1 rings=$2 era=$3 ring
  printf '/ {\n  crypto@b000000 {\n'
  printf '    compatible = "fsl,sec-v5.4", "fsl,sec-v5.0", "fsl,sec-v4.0";\n'
  printf '    fsl,sec-era = <%d>;\n    #address-cells = <1>;\n    #size-cells = <1>;\n' "$era"
  printf '    reg = <0 0x0b000000 0 %#x>;\n    ranges = <0 0 0x0b000000 %#x>;\n' $((16 * page)) $((16 * page))
  printf '    interrupts = <0 208 4>;\n    dma-coherent;\n'
  for ((ring = 0; ring < rings; ++ring)); do
    printf '    jr@%x {\n' $(((ring + 1) * page))
    printf '      compatible = "fsl,sec-v5.4-job-ring", "fsl,sec-v5.0-job-ring", "fsl,sec-v4.0-job-ring";\n'
    printf '      reg = <%#x %#x>;\n      interrupts = <0 %d 4>;\n    };\n' $(((ring + 1) * page)) "$page" $((200 + ring))
  done
  printf '  };\n};\n'
}

# imx_nodes: makes the kernel's soc_device_match() see an i.MX8MM, so that the driver takes its i.MX ways. The SoC driver
# wants to read the fuse and analog blocks; the second flash bank of `virt`, which is empty, stands in for them.
imx_nodes() {
  cat <<'DTS'
/ {
  compatible = "fsl,imx8mm", "linux,dummy-virt";
  crypto@b000000 {
    clocks = <&{/apb-pclk}>, <&{/apb-pclk}>;
    clock-names = "ipg", "aclk";
  };
  ocotp@4000000 {
    compatible = "fsl,imx8mm-ocotp";
    reg = <0 0x04000000 0 0x1000>;
    clocks = <&{/apb-pclk}>;
  };
  anatop@4000000 {
    compatible = "fsl,imx8mm-anatop";
    reg = <0 0x04000000 0 0x1000>;
    clocks = <&{/apb-pclk}>;
  };
};
DTS
}

# make_tree OUT PAGE RINGS ERA IMX QEMU-ARGUMENT...
make_tree() {
  local out=$1 page=$2 rings=$3 era=$4 imx=$5
  shift 5
  qemu-system-aarch64 -machine virt,dumpdtb="$out.virt" "$@" >/dev/null 2>&1 || fail "QEMU wrote no device tree"
  {
    dtc -q -I dtb -O dts "$out.virt"
    caam_nodes "$page" "$rings" "$era"
    if [[ $imx == true ]]; then imx_nodes; fi
  } | dtc -q -I dts -O dtb -o "$out" - || fail "dtc could not compile the device tree"
}
