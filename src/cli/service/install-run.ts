import { existsSync } from 'node:fs'
import { OperatorError } from '../../lib/operator-error.ts'
import type { CommandResult } from '../command.ts'
import { typedCommandLine } from '../data-folder/data-owner.ts'
import type { Session } from '../session.ts'
import { fileSteps, serviceStep } from './install-steps.ts'
import { type Installation, type InstallInput, installationOf } from './installation.ts'
import { assertRoot, assertSystemd, runsFile } from './machine.ts'
import { below, places } from './places.ts'
import { isChanged, outcomeResult, type ServiceOutcome } from './result.ts'
import { carryOut } from './step.ts'

const words = { done: 'done', kept: 'as it was', due: 'to be done' }

/** Overrides root's umask, because other users must be able to read the files. */
const filesMask = 0o022

/** `capture service install` (docs/systemd.md). @throws OperatorError where this machine cannot have it */
export async function runServiceInstall(input: InstallInput, session: Session): Promise<CommandResult> {
  if (input.root === undefined) {
    assertSystemd()
    if (!input.dryRun) assertRoot(typedCommandLine(session))
  }
  const installation = installationOf(input, session)
  process.umask(filesMask)
  const hadConfig = existsSync(below(installation.tree, places.config))
  const outcome = await install(installation, input)
  outcome.notes.push(...(hadConfig ? unwrittenNotes(input) : httpsNotes(installation)))
  return outcomeResult(outcome, words)
}

async function install(installation: Installation, { dryRun }: InstallInput): Promise<ServiceOutcome> {
  const { tree, isThisMachine } = installation
  try {
    const steps = await carryOut(fileSteps(installation), { dryRun })
    if (!isThisMachine) return { root: tree, steps, notes: dryRun || !isChanged(steps) ? [] : [inTreeNote] }
    const isUnchanged = steps.every(({ what, state }) => state === 'kept' || !startsAnewFor.includes(what))
    const isCurrent = isUnchanged && runsFile(installation.executable)
    const started = await carryOut([serviceStep({ isCurrent })], { dryRun })
    const all = [...steps, ...started]
    return { root: tree, steps: all, notes: dryRun || !isChanged(all) ? [] : nextNotes }
  } catch (error) {
    throw writeFault(error)
  }
}

/** Options for a new configuration that were given although one exists. */
function unwrittenNotes({ previewHost, consoleHost, email }: InstallInput): string[] {
  const given = { '--preview-host': previewHost, '--console-host': consoleHost, '--email': email }
  const options = Object.entries(given).flatMap(([option, value]) => (value === undefined ? [] : [option]))
  if (options.length === 0) return []
  return [`${places.config} was there already, and was not changed: ${options.join(' and ')} stayed out of it.`]
}

const httpsNotes = ({ fresh: { httpsHindrance } }: Installation): string[] => [
  httpsHindrance === null
    ? 'HTTPS: each domain gets its certificate when its DNS points here. Their states: capture domain list'
    : `[https] mode is "off", since ${httpsHindrance}. Name this box in that proxy, or free ports 80 and 443, set mode = "auto" in ${places.config} and restart.`,
]

/** Steps whose changes need a restart of the service. */
const startsAnewFor = ['executable', 'unit', 'configuration']

const inTreeNote = `Nothing was started. In the machine: systemctl enable --now capture`
const nextNotes = [
  `The service is ready, and starts with the machine. Its addresses are in ${places.config}.`,
  'Next: sudo capture apply SITE-FOLDER. How it does: capture service status. Its log: journalctl -u capture',
]

/** The system's refusal in its own words. */
export function writeFault(error: unknown): unknown {
  const { code, path, message } = error as NodeJS.ErrnoException
  if (code === undefined || error instanceof OperatorError) return error
  return new OperatorError(`Cannot write ${path ?? 'a file'}: ${message}. Fix that, then run this again.`)
}
