import type { DestinationKind } from '../../account/destination.ts'
import type { PauseReason } from '../../delivery/destination-state.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import { pauseWords } from '../delivery/pause-words.ts'
import { type CheckResult, firstResults, warning } from './check-result.ts'

/** A destination that is paused or fails, or has deliveries that failed. */
export interface AilingDestination {
  handle: string
  name: string
  kind: DestinationKind
  /** `null`: it is not paused. */
  pause: { reason: PauseReason; at: number } | null
  /** Since when nothing but failure, epoch milliseconds; `null`: its latest attempt succeeded. */
  failingSince: number | null
  waiting: number
  failed: number
}

const destinationsShown = 20

/** Names destinations to which nothing, or not everything, is sent (docs/deliveries.md). */
export const examineDeliveries = (ailing: readonly AilingDestination[]): CheckResult[] =>
  firstResults(ailing.map(resultOf), destinationsShown, (more) =>
    warning(
      'deliveries',
      `${plural(more, 'more destination')} ${more === 1 ? 'needs' : 'need'} attention.`,
      'capture delivery list ACCOUNT',
      { act: 'see_destinations' },
    ),
  )

function resultOf(destination: AilingDestination): CheckResult {
  const { handle, name, pause, failingSince, waiting, failed } = destination
  const named = `The destination "${name}" of ${handle}`
  const waits = waiting === 0 ? '' : ` ${plural(waiting, 'delivery waits', 'deliveries wait')}.`
  if (pause !== null) {
    const advice = `Repair the receiver, then run \`capture delivery resume ${handle} ${name}\`.`
    return warning(
      'deliveries',
      `${named} has been paused since ${timestamp(pause.at)}: ${pauseWords[pause.reason]}.${waits}`,
      advice,
      { act: 'resume_destination', account: handle, destination: name },
    )
  }
  const look = `\`capture delivery list ${handle}\` shows why`
  if (failingSince !== null)
    return warning(
      'deliveries',
      `${named} fails since ${timestamp(failingSince)}.${waits}`,
      `${look}; \`capture delivery test ${handle} ${name}\` tries it.`,
      { act: 'test_destination', account: handle, destination: name },
    )
  return warning(
    'deliveries',
    `${plural(failed, 'delivery', 'deliveries')} to the destination "${name}" of ${handle} could not be made.`,
    `${look}; \`capture delivery retry ${handle} --destination ${name}\` tries again.`,
    { act: 'retry_deliveries', account: handle, destination: name },
  )
}
