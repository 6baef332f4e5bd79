#!/bin/sh
# Runs the browser $CHROMIUM. It ends when the process of the tests does, even one that was killed; nobody else removes its profile then.
"$CHROMIUM" "$@"
status=$?
for argument; do
  case $argument in --user-data-dir=*) rm -rf "${argument#*=}" ;; esac
done
exit $status
