import type { Right, Scope } from '../../account/scope.ts'
import type { Markup } from '../../lib/html.ts'
import { NotAllowed, NotThere, OperatorError, UnfitInput } from '../../lib/operator-error.ts'
import { type Doable, type Done, subjectOf } from '../../operations/act.ts'
import { siteFaultsOf } from '../../operations/upload/apply-upload.ts'
import { UploadFault } from '../../operations/upload/upload-folder.ts'
import { type ActingCaller, acting } from '../api/endpoint.ts'
import type { ConsoleBox } from '../console-box.ts'
import type { FieldFault } from '../look/fields.ts'
import { faultNote, operatorMessage } from '../look/notice.ts'
import type { AccountPageCall, Acted, PageAct, PageCall } from './page.ts'

/** What of an act its form needs. */
interface FormedAct<In, D> extends Doable<In, ConsoleBox, ActingCaller, D> {
  asksAgain?: true
  scope?: Scope | 'signed_in'
  right?: Right
}

type Shown = Pick<Acted, 'answer' | 'notice'>

/** Of each of several inputs by itself. */
type WithoutAccount<In> = In extends unknown ? Omit<In, 'account'> : never

/** How a page asks for an act. */
interface Asked<C, In, D> {
  /** What the form says, beside the page's account. @throws OperatorError */
  input?(call: C): WithoutAccount<In>
  /** The only field that somebody types into: what the act refuses is refused for what it says. */
  typed?: string
  /** What its sender sees; absent: the page again. */
  shown?(done: D, call: C, box: ConsoleBox): Shown | Promise<Shown>
}

/** The form of an act. */
export function actForm<
  In,
  D extends Done<unknown>,
  C extends PageCall = In extends { account: string } ? AccountPageCall : PageCall,
>(act: FormedAct<In, D>, { input, typed, shown }: NoInfer<Asked<C, In, D>>): PageAct<C> {
  const handleOf = (call: C) => (call as Partial<AccountPageCall>).account?.handle
  const inputOf = (call: C) => ({ account: handleOf(call), ...input?.(call) }) as unknown as In
  const subject = async (call: C, box: ConsoleBox): Promise<string> => {
    try {
      return await subjectOf(act, inputOf(call), box)
    } catch {
      // The act itself says why.
      return handleOf(call) ?? ''
    }
  }
  return {
    noted: { action: act.name, subject },
    ...(act.asksAgain && { asksAgain: true }),
    ...needsOf(act),
    async run(call, box) {
      const run = () => act.run(box, inputOf(call), acting(call.caller))
      const done = await (typed === undefined ? run() : blaming(typed, run))
      const { answer: _answer, revision: _revision, ...noted } = done
      return { ...noted, ...(await shown?.(done, call, box)) }
    },
  }
}

const needsOf = ({
  scope,
  right,
}: Pick<FormedAct<never, never>, 'scope' | 'right'>): Pick<PageAct<PageCall>, 'needs'> =>
  scope === undefined || scope === 'signed_in' ? {} : { needs: { scope, ...(right !== undefined && { right }) } }

/** The page refuses what was sent; the message tells the sender why. */
export class FormRefusal extends OperatorError {
  constructor(
    message: string,
    /** 403: it does not prove the user's identity. 410: its object is gone. 422: it is invalid. Otherwise that of the act. */
    readonly status = 422,
    /** The field that is to blame, which says why; `null`: the page says it above everything. */
    readonly field: string | null = null,
  ) {
    super(message)
  }
}

/** Has a field of the form blamed for what is refused. */
export async function blaming<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (why) {
    const isOfField = why instanceof OperatorError && !(why instanceof NotThere || why instanceof NotAllowed)
    if (!isOfField || why instanceof FormRefusal) throw why
    throw new FormRefusal(why.message, refusalStatus(why), field)
  }
}

/** The field to blame for that the form was refused; `null`: none is, or it was not refused. */
export const fieldFault = ({ refusal, caller }: Pick<PageCall, 'refusal' | 'caller'>): FieldFault | null =>
  refusal instanceof FormRefusal && refusal.field !== null
    ? { field: refusal.field, message: operatorMessage(refusal.message, caller) }
    : null

/** Why the form was refused, unless a field of the page says it. */
export function refusalNote(call: Pick<PageCall, 'refusal' | 'caller'>): Markup | null {
  const { refusal, caller } = call
  return refusal === null || fieldFault(call) !== null ? null : faultNote(operatorMessage(refusal.message, caller))
}

const uploadStatuses: Record<UploadFault['reason'], number> = { unfit: 422, too_large: 413, no_room: 503 }

/** The status of a page that says why an act was refused: the same as the API's. */
export function refusalStatus(why: OperatorError): number {
  if (why instanceof FormRefusal) return why.status
  if (why instanceof NotThere) return 404
  if (why instanceof UnfitInput) return 422
  if (why instanceof NotAllowed) return 403
  if (why instanceof UploadFault) return uploadStatuses[why.reason]
  return siteFaultsOf(why) === null ? 409 : 422
}
