import { addressText, type ListenAddress } from '../../config/values.ts'
import { reachableHost } from '../../lib/hostname.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { defineCommand } from '../command.ts'
import { withPortsInUse } from './control-socket.ts'

/** A probe takes at most 12 s. */
const answerMsMax = 15_000

export const ready = defineCommand({
  name: 'ready',
  summary: 'Says whether the running service would store a record now',
  details: `Asks /readyz at [operator] listen. Ends with 0 when it is ready, else with 1: for health checks of containers, and for
scripts that wait. --json prints { "ready": true|false, "says": "…" }.`,
  async run(_, { loadConfig }) {
    const { listen } = (await withPortsInUse((await loadConfig()).config)).operator
    if (listen === null) throw new OperatorError('[operator] listen is "": there is no address to ask. Set one.')
    const answer = await asked(listen)
    return { json: answer, text: () => `${answer.says}\n`, exitStatus: answer.ready ? 0 : 1 }
  },
})

async function asked({ host, port }: ListenAddress): Promise<{ ready: boolean; says: string }> {
  const address = addressText({ host: reachableHost(host), port })
  try {
    const response = await fetch(`http://${address}/readyz`, {
      signal: AbortSignal.timeout(answerMsMax),
      redirect: 'manual',
      proxy: false,
    })
    return { ready: response.status === 200, says: (await response.text()).trim() }
  } catch {
    return { ready: false, says: `Nothing answers at ${address}: the service does not run, or is just starting.` }
  }
}
