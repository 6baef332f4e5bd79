import { plural } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'
import { type Labelled, labelledLines } from '../output/text.ts'
import { unitName } from './machine.ts'

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
    const { runServiceInstall } = await import('./installer.ts')
    return runServiceInstall(options, session)
  },
})

export const serviceUninstall = defineCommand({
  name: 'service uninstall',
  summary: 'Stops the service and removes it from this machine',
  details: `Keeps the configuration and everything captured. --purge deletes them; only a backup brings them back.
--json prints { "root", "changed", "steps": [{ "what", "subject", "state": "done"|"kept"|"due" }], "notes" }.`,
  options: {
    purge: { summary: 'also remove the configuration, the user, and all that was captured' },
    root: { value: 'DIR', summary: 'the folder that `service install --root` wrote to' },
    dryRun: { summary: 'print what would be removed, and remove nothing' },
  },
  async run({ options }, session) {
    const { runServiceUninstall } = await import('./installer.ts')
    return runServiceUninstall(options, session)
  },
})

export const serviceStatus = defineCommand({
  name: 'service status',
  summary: 'Shows the state of the service',
  details: `Ends with 0 while it runs, and with 1 otherwise.
--json prints { "installed", "state", "status", "pid", "since", "startsAtBoot", "restarts" }.`,
  async run() {
    const { assertSystemd, outputOf } = await import('./machine.ts')
    assertSystemd()
    const status = parseStatus(outputOf(['systemctl', 'show', unitName, `--property=${asked.join(',')}`]))
    return {
      json: status,
      text: ({ columns }) => asText(status, columns),
      exitStatus: status.state.startsWith('active') ? 0 : 1,
    }
  },
})

interface Status {
  installed: boolean
  /** systemd's words: `active (running)`. */
  state: string
  status: string | null
  pid: number | null
  since: string | null
  startsAtBoot: boolean
  restarts: number
}

const asked = [
  'LoadState',
  'ActiveState',
  'SubState',
  'StatusText',
  'MainPID',
  'ActiveEnterTimestamp',
  'UnitFileState',
  'NRestarts',
]

/** Parses the output of `systemctl show`: one `Key=value` per line. */
function parseStatus(text: string): Status {
  const values = new Map(text.split('\n').map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]))
  const value = (key: string) => values.get(key) || null
  const pid = Number(value('MainPID'))
  return {
    installed: value('LoadState') === 'loaded',
    state: `${value('ActiveState') ?? 'inactive'} (${value('SubState') ?? 'dead'})`,
    status: value('StatusText'),
    pid: pid > 0 ? pid : null,
    since: value('ActiveEnterTimestamp'),
    startsAtBoot: value('UnitFileState') === 'enabled',
    restarts: Number(value('NRestarts')),
  }
}

function asText({ installed, state, status, pid, since, startsAtBoot, restarts }: Status, columns?: number): string {
  if (!installed) return 'The service is not installed. To install it: sudo capture service install\n'
  const lines: Labelled[] = [
    ['state', [state, since && `since ${since}`, pid && `process ${pid}`].filter(Boolean).join(', ')],
    ['says', status ?? 'nothing'],
    ['at boot', startsAtBoot ? 'is started' : 'is not started'],
    ['since then', `${plural(restarts, 'restart')} by systemd`],
    ['log', 'journalctl -u capture'],
  ]
  return labelledLines(lines, columns)
}
