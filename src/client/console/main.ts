// What the console's pages do better with a script. Each page works without, but for passkeys and what is live.
import { offerCopying } from './copy.ts'
import { offerPasskeys } from './passkeys.ts'

offerPasskeys()
offerCopying()
