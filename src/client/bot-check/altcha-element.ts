// The file `/_svc/b/altcha.js`: ALTCHA's widget in the languages of Europe, with a solver of ours.
import 'altcha/external'
import 'altcha/i18n/europe'
import { solverInPage } from './solver.ts'

// A browser starts a worker only from the page's own origin, and the page is another's. Hashing is off the page's
// thread in any case.
globalThis.$altcha.algorithms.set('PBKDF2/SHA-256', () => solverInPage() as unknown as Worker)
