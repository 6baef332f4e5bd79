import { plural } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'
import { type Labelled, labelledLines } from '../output/labelled.ts'
import { unitName } from './machine.ts'

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
  /** What the service says of itself. */
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
