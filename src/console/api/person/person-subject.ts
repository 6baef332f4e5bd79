import { NotThere } from '../../../lib/operator-error.ts'
import { personNamed } from '../../../operations/person/person-named.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { AccountCall } from '../endpoint.ts'

/** The audit log names persons by `personId`, never by address; `''`: nobody is known by the id or address. */
export async function personSubject(
  { account, params }: Pick<AccountCall, 'account' | 'params'>,
  box: ConsoleBox,
): Promise<string> {
  try {
    return (await personNamed(box, account, params.person ?? '')).personId ?? ''
  } catch (error) {
    if (error instanceof NotThere) return ''
    throw error
  }
}
