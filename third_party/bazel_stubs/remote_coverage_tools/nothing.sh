#!/bin/sh
# Writes the empty report that Bazel expects at --output_file=PATH.
for arg; do
  case $arg in --output_file=*) : > "${arg#--output_file=}" ;; esac
done
