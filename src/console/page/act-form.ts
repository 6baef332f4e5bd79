import type { Right, Scope } from '../../account/scope.ts'
import { html, type Markup } from '../../lib/html.ts'
import { NotAllowed, NotThere, OperatorError, UnfitInput } from '../../lib/operator-error.ts'
import { type Doable, type Done, subjectOf } from '../../operations/act.ts'
import { siteFaultsOf } from '../../operations/upload/apply-upload.ts'
import { UploadFault } from '../../operations/upload/upload-folder.ts'
import { type ActingCaller, acting } from '../api/endpoint.ts'
import type { ConsoleBox } from '../console-box.ts'
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
  /** What its sender sees; absent: the page again. */
  shown?(done: D, call: C, box: ConsoleBox): Shown | Promise<Shown>
}

/** The form of an act. */
export function actForm<
  In,
  D extends Done<unknown>,
  C extends PageCall = In extends { account: string } ? AccountPageCall : PageCall,
>(act: FormedAct<In, D>, { input, shown }: NoInfer<Asked<C, In, D>>): PageAct<C> {
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
      const done = await act.run(box, inputOf(call), acting(call.caller))
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
    /** 403: it does not prove the user's identity. 410: its object is gone. 422: it is invalid. */
    readonly status: 403 | 410 | 422 = 422,
    /** The field that is to blame, which says why; `null`: the page says it above everything. */
    readonly field: string | null = null,
  ) {
    super(message)
  }
}

/** Why a form was refused, where no field is to blame. */
export const refusalLine = (why: OperatorError | null, caller: PageCall['caller']): Markup | null =>
  why === null || (why instanceof FormRefusal && why.field !== null)
    ? null
    : faultNote(operatorMessage(why.message, caller))

/** The same at the field that is. */
export const refusalAt = (why: OperatorError | null, field: string): Markup | null =>
  why instanceof FormRefusal && why.field === field ? html`<p class="fault" role="alert">${why.message}</p>` : null

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
