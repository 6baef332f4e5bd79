import { packagedExecutable } from '../../release/packaged-executable.ts'

// `capture service install` makes the unit, the configuration and the data folder. The scripts act only if the unit runs this
// package's executable. DPKG_ROOT is the tree of an image that dpkg works on, else empty (dpkg(1), --force-script-chrootless).
const unit = '"$DPKG_ROOT/etc/systemd/system/capture.service"'
const runsThis = `grep -qs '^ExecStart=${packagedExecutable} ' ${unit}`
const systemdIsHere = '[ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]'

/** After an update: restarts a running service with the new executable. */
export const postinst = `#!/bin/sh
set -e
if [ "$1" = configure ] && ${systemdIsHere} && ${runsThis} && systemctl is-active --quiet capture.service; then
  ${packagedExecutable} service install
fi
`

/** Removes the service before the executable. Without systemd, as in the tree of an image, removes only its files. */
export const prerm = `#!/bin/sh
set -e
if [ "$1" = remove ] && ${runsThis}; then
  if ${systemdIsHere}; then
    ${packagedExecutable} service uninstall > /dev/null
  else
    rm -f ${unit} "$DPKG_ROOT/etc/systemd/system/multi-user.target.wants/capture.service"
    rm -f "$DPKG_ROOT/etc/sysctl.d/60-capture.conf"
    rm -f "$DPKG_ROOT/etc/sysusers.d/capture.conf" "$DPKG_ROOT/etc/tmpfiles.d/capture.conf"
  fi
fi
`

/** Keeps the records, which do not belong to the package, and the configuration of a service with another executable. */
export const postrm = `#!/bin/sh
set -e
if [ "$1" = purge ] && ! [ -e ${unit} ]; then
  rm -rf "$DPKG_ROOT/etc/capture"
  if [ -d "$DPKG_ROOT/var/lib/capture" ]; then
    echo 'Kept: /var/lib/capture, with all records. To delete them: rm -r /var/lib/capture'
  fi
fi
`
