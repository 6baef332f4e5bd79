import { OperatorError } from '../../lib/operator-error.ts'
import type { CommandResult } from '../command.ts'
import { typedCommandLine } from '../data-folder/data-owner.ts'
import { printable } from '../output/text.ts'
import { type MetService, meetService } from '../serve/control-socket.ts'
import { isSameFile, places } from '../service/machine.ts'
import { installedUnit } from '../service/unit.ts'
import type { Session } from '../session.ts'
import { programVersion } from '../version.ts'
import { type Candidate, comparedTo, fetchCandidate } from './candidate.ts'
import { Installed } from './installed.ts'
import { keepSnapshot, selfTest } from './self-test.ts'
import { runProgram, type Workplace, withWorkplace } from './workplace.ts'

interface UpgradeInput {
  /** A file, or an address; `null`: the version before. */
  from: string | null
  check: boolean
  publicKey: string | undefined
  watchSeconds: number
}

interface Upgraded {
  /** `checked`: nothing was changed. `current`: there was nothing to change. */
  state: 'upgraded' | 'checked' | 'current'
  from: string
  to: string
  executable: string
  previous: string | null
  /** The process that serves; `null`: none does. */
  service: number | null
  /** Whether the version before can no longer read the database. */
  databaseChanged: boolean
  notes: string[]
}

/** `capture upgrade` (docs/upgrades.md). @throws OperatorError when the new version is not in place at the end */
export async function runUpgrade(input: UpgradeInput, session: Session): Promise<CommandResult> {
  const { config, file: configFile } = await session.loadConfig()
  const installed = Installed.ofThisProgram()
  const typed = typedCommandLine(session)
  if (!input.check) installed.assertReplaceable(typed)
  if (input.from === null && !installed.hasPrevious) {
    throw new OperatorError(`There is no previous version: ${installed.previous} does not exist.`)
  }
  const place = { dataDir: config.dataDir, configFile, installed, typed, check: input.check, env: session.env }
  const result = await withWorkplace(place, (workplace) => upgraded(input, { workplace, installed, session }))
  return { json: result, text: sentences(result) }
}

interface Surroundings {
  workplace: Workplace
  installed: Installed
  session: Session
}

async function upgraded(input: UpgradeInput, around: Surroundings): Promise<Upgraded> {
  const { workplace, installed, session } = around
  const tell = (sentence: string) => session.err.write(`${printable(sentence)}\n`)
  const service = await workplace.asOwner(() => findService(workplace.dataDir))
  if (service !== null && service.hello.executable !== installed.path) throw otherExecutable(service)
  const source = { from: input.from ?? installed.previous, cwd: session.cwd, publicKey: input.publicKey }
  const candidate = await fetchCandidate(source, workplace.staged)
  tell(`${source.from} is Capture ${candidate.version}${stateOf(candidate)}.`)
  const isInPlace = await isSameFile(candidate.file, installed.path)
  if (isInPlace && (service === null || service.hello.version === candidate.version))
    return result('current', candidate, around)
  const tested = await selfTest(installed, candidate, { ...workplace, isRollback: input.from === null })
  if (tested !== null) {
    const change = tested.migrates ? 'It changes the database, which is what takes longest.' : ''
    tell(`It works on a copy of the database. ${change}`.trim())
  }
  if (input.check) return result('checked', candidate, around)
  if (tested !== null && !tested.migrates)
    workplace.asOwner(() => keepSnapshot(tested.copy, workplace.dataDir, session.clock.now()))
  if (!isInPlace) await installed.replaceBy(candidate.file)
  if (service === null) return result('upgraded', candidate, around)
  tell('The service starts it, and hands over to it.')
  const migrates = tested?.migrates ?? false
  await handOver({ service, candidate, migrates, watchSeconds: input.watchSeconds, tell }, around)
  return result('upgraded', candidate, around, migrates)
}

interface Handover {
  service: MetService
  candidate: Candidate
  migrates: boolean
  watchSeconds: number
  tell: (sentence: string) => void
}

/** @throws OperatorError when the new version does not serve; the executable is the one before then, where that can work */
async function handOver(
  { service, candidate, ...how }: Handover,
  { workplace, installed }: Surroundings,
): Promise<void> {
  const outcome = await askToHandOver(service, how.watchSeconds, (pid) =>
    // Once the database has changed nobody can go back by itself, so nobody watches.
    how.tell(`The new version serves (process ${pid})${how.migrates ? '.' : ', and is watched.'}`),
  )
  if (outcome !== 'gone') {
    if ('pid' in outcome) return
    await installed.goBack()
    throw new OperatorError(
      `The new version did not take over: ${outcome.why.replace(/\.$/, '')}. The executable is version ${programVersion} again, and the service runs as before. Its log says more.`,
    )
  }
  const serving = await workplace.asOwner(() => servedAnew(service, workplace.dataDir))
  if (serving === candidate.version) return
  if (how.migrates) {
    throw new OperatorError(
      `The service ended while it handed over, and nobody serves. The executable stays version ${candidate.version}, which may have changed the database by then. Start the service; its log says more.`,
    )
  }
  await installed.goBack()
  throw new OperatorError(
    `The service ended while it handed over${serving === null ? ', and nobody serves: start it' : ''}. The executable is version ${programVersion} again.`,
  )
}

const stateOf = ({ version }: Candidate): string => {
  const order = comparedTo(version, programVersion)
  return order === 'the same'
    ? ', the version that is installed'
    : `, ${order} than the ${programVersion} that is installed`
}

const otherExecutable = ({ hello: { executable, pid } }: MetService): OperatorError =>
  new OperatorError(
    `The service (process ${pid}) runs ${executable}, which this is not. Upgrade by that one: ${executable} upgrade …. Nothing was changed.`,
  )

async function result(
  state: Upgraded['state'],
  candidate: Candidate,
  around: Surroundings,
  databaseChanged = false,
): Promise<Upgraded> {
  const { workplace, installed } = around
  const service = await workplace.asOwner(() => findService(workplace.dataDir)).catch(() => null)
  service?.connection.close()
  return {
    state,
    from: programVersion,
    to: candidate.version,
    executable: installed.path,
    previous: installed.hasPrevious ? installed.previous : null,
    service: service?.hello.pid ?? null,
    databaseChanged,
    notes: state === 'upgraded' ? await unitNote(installed.path) : [],
  }
}

function sentences({ state, from, to, executable, previous, service, databaseChanged, notes }: Upgraded): string[] {
  const wayBack = databaseChanged
    ? `The database has changed: ${from} cannot read it any more.`
    : 'To go back: capture upgrade --rollback'
  const done = {
    checked: [`Version ${to} can take the place of ${from}. Nothing was changed.`],
    current: [`${executable} is version ${to} already. Nothing had to be changed.`],
    upgraded: [
      `${executable} is version ${to} now; the previous version is ${previous}.`,
      service === null
        ? 'No service runs on this data folder: the next one that starts is the new version.'
        : `The service is process ${service}. ${wayBack}`,
    ],
  }
  return [...done[state], ...notes]
}

/** @returns `null`: none runs. @throws OperatorError when one runs and cannot be asked */
const findService = (dataDir: string): Promise<MetService | null> =>
  meetService(dataDir, 'Look at its log. Nothing was changed.')

/** How it went. `gone`: the service that was asked has ended meanwhile. */
type HandedOver = { pid: number } | { why: string } | 'gone'

/**
 * Asks the service to start its executable anew, and to hand over to it.
 *
 * @param onReady given the process that serves from then on
 */
async function askToHandOver(
  { connection }: MetService,
  watchSeconds: number,
  onReady: (pid: number) => void,
): Promise<HandedOver> {
  connection.send({ say: 'upgrade', watchSeconds })
  let pid = 0
  for (;;) {
    const message = await connection.next()
    if (message === null) return 'gone'
    if (message.say === 'failed') return { why: message.why }
    if (message.say === 'started') pid = message.pid
    if (message.say === 'ready') onReady(pid)
    if (message.say === 'yours') return { pid }
  }
}

const anewMsMax = 15_000
const pollMs = 200

/** The version that serves after the service that was asked has gone, as after a kill; `null`: none does. */
async function servedAnew({ hello: { pid } }: MetService, dataDir: string): Promise<string | null> {
  for (let waitedMs = 0; waitedMs < anewMsMax; waitedMs += pollMs) {
    const found = await findService(dataDir).catch(() => null)
    found?.connection.close()
    if (found !== null && found.hello.pid !== pid) return found.hello.version
    await Bun.sleep(pollMs)
  }
  return null
}

const planMsMax = 30_000

/** A sentence where the unit that runs this executable is not the one that the new version would install. */
async function unitNote(executable: string): Promise<string[]> {
  if (installedUnit('/')?.executable !== executable) return []
  const argv = ['service', 'install', '--dry-run', '--json']
  const run = await runProgram(executable, argv, { env: {}, timeoutMs: planMsMax, user: null }).catch(() => null)
  if (run === null || !isUnitDue(run.stdout)) return []
  return [
    `The new version has another unit file than ${places.unit}. To put it right, with a short stop: sudo capture service install`,
  ]
}

function isUnitDue(text: string): boolean {
  try {
    const { steps } = JSON.parse(text) as { steps: { what: string; state: string }[] }
    return steps.some(({ what, state }) => what === 'unit' && state === 'due')
  } catch {
    return false
  }
}
