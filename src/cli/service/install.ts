import { defineCommand } from '../command.ts'

export const serviceInstall = defineCommand({
  name: 'service install',
  summary: 'Makes this machine run Capture as a systemd service',
  details: `Puts this executable at /usr/local/bin/capture, makes the user, the configuration and the data folder, and starts the
service; ends when it is ready. What is there already stays, and a second run changes nothing:
  sudo ./capture service install
Run as /usr/bin/capture, where a package manager puts it, it makes a service of that and copies nothing.
A new configuration has [https] mode "auto" where ports 80 and 443 are free, else "off" with a sentence about who holds them.
--root writes the same files below DIR, for the image of a machine, and starts nothing.
--json prints { "root", "changed", "steps": [{ "what", "subject", "state": "done"|"kept"|"due" }], "notes" }.`,
  options: {
    user: {
      value: 'NAME',
      summary: 'the user that the service runs as, created if missing (default: that of the unit, else capture)',
    },
    previewHost: { value: 'HOST', summary: 'the host of previews, for a new configuration' },
    consoleHost: { value: 'HOST', summary: 'the public name of the console, for a new configuration' },
    email: {
      value: 'ADDRESS',
      summary: 'the contact address for the certificate authority, for a new configuration',
    },
    root: { value: 'DIR', summary: 'the folder that is to become the root of a machine' },
    dryRun: { summary: 'print what would be done, and do nothing' },
  },
  async run({ options }, session) {
    const { runServiceInstall } = await import('./install-run.ts')
    return runServiceInstall(options, session)
  },
})
