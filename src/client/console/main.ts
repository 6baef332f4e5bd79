// What the console's pages do better with a script. Each page works without, but for passkeys and what is live.
import { offerCopying } from './copy.ts'
import { takeDrops } from './drop.ts'
import { searchFurther } from './further.ts'
import { heedKeys } from './keys.ts'
import { followInbox } from './live.ts'
import { offerPasskeys } from './passkeys.ts'
import { workOnRows } from './rows.ts'
import { noteSeen } from './seen.ts'

offerPasskeys()
offerCopying()
takeDrops()
workOnRows()
noteSeen()
followInbox()
searchFurther()
heedKeys()
