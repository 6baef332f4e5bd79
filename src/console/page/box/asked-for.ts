import { fieldLabel } from '../../../account/field-label.ts'

/** Pages and paths of the API whose address does not say what they show. */
const names: Readonly<Record<string, string>> = {
  '/': 'Overview',
  '/a/:account': 'Inbox',
  '/audit': 'Audit log',
  '/api/v1/accounts/:account': 'Account',
  '/box': 'Health',
  '/me': 'Your sign-in',
  '/publish': 'New account',
}

/** What somebody asked for who was refused, such as `opening Publish` or `reading Persons by the API`. @param endpoint as `RefusedTry` has it */
export function askedFor(endpoint: string): string {
  const [method, path = ''] = endpoint.split(' ')
  const name = names[path] ?? readable(path)
  if (path.startsWith('/api/')) return `${method === 'GET' ? 'reading' : 'changing'} ${name} by the API`
  return `${method === 'GET' ? 'opening' : 'sending a form of'} ${name}`
}

/** Without the parts in which something was typed. A lead is `/s/` in an address. */
const readable = (path: string): string => {
  const parts = path
    .replace(/^\/(?:api\/v1\/accounts|api\/v1|a)\//, '/')
    .split('/')
    .filter((part) => part !== '' && !part.startsWith(':'))
  return parts.map((part) => (part === 's' ? 'Lead' : fieldLabel(null, part))).join(', ')
}
