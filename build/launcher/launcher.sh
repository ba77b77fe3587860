#!/bin/sh
# Runs one of Patchbay's programs with the app's own binary as Node. This file's name selects the program.
# Needs nothing from the environment, and may be reached through symbolic links and from folders with spaces.
set -eu

self=$0
case $self in */*) ;; *) self=./$self ;; esac
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=${self%/*}/$target ;;
  esac
done

bin=$(CDPATH='' cd -- "${self%/*}" && pwd -P)
resources=${bin%/*}
app=${resources%/*}/patchbay
[ -x "$app" ] || app=${resources%/*}/MacOS/Patchbay

ELECTRON_RUN_AS_NODE=1
export ELECTRON_RUN_AS_NODE
exec "$app" "$resources/lib/${self##*/}.mjs" "$@"
