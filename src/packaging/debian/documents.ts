import { noticesFile } from '../notices.ts'
import { type DebianInput, debianVersion } from './input.ts'

/** deb-control(5). Bun runs on any C library since 2012. */
export const control = ({ version, architecture, maintainer }: DebianInput, installedKib: number): string =>
  `Package: capture
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${installedKib}
Depends: libc6 (>= 2.17)
Section: web
Priority: optional
Description: landing pages, form capture, events and tracked links
 Serves the landing pages of an agency's customers on the customers' own
 domains, and stores what visitors send from them: forms, events, page views
 and clicks on tracked links. One executable and one folder of data.
 .
 "sudo capture service install" makes a systemd service of it.
`

/** deb-changelog(5). */
export const changelog = ({ version, maintainer, madeAtSeconds }: DebianInput): string =>
  `capture (${debianVersion(version)}) stable; urgency=medium

  * What has changed: /usr/share/doc/capture/CHANGELOG.md.gz

 -- ${maintainer}  ${mailDate(madeAtSeconds)}
`

/** RFC 5322, in UTC. */
const mailDate = (seconds: number): string => new Date(seconds * 1000).toUTCString().replace('GMT', '+0000')

export const copyright = (licence: string): string =>
  `Capture\n\n${licence.trimEnd()}\n\nWork of others in the executable, with its licences: ${noticesFile}.gz beside this file.\n`

export const lintianOverrides = `# The runtime finds the program by its offset in the file: stripping leaves a plain Bun.
capture: unstripped-binary-or-object [usr/bin/capture]
capture: embedded-library *
capture: no-manual-page [usr/bin/capture]
# Bun's executable is linked so.
capture: hardening-no-pie [usr/bin/capture]
capture: hardening-no-relro [usr/bin/capture]
# One of the same name in /usr/local/bin would come first.
capture: command-with-path-in-maintainer-script *
`
