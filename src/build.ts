import { buildExecutable } from './packaging/executable.ts'
import { embeddedPackages, thirdPartyNotices } from './packaging/notices.ts'
import { runScript } from './packaging/run-script.ts'
import { hostTargetName } from './packaging/runtimes.ts'
import { readPublicKeysFile } from './packaging/signing.ts'

/** Builds `./capture`, or the file that is named, for this machine. */
await runScript(async () => {
  const [targetName, publicKeys] = await Promise.all([hostTargetName(), readPublicKeysFile()])
  const notices = await thirdPartyNotices(await embeddedPackages())
  await buildExecutable(process.argv[2] ?? './capture', { targetName, foreign: null, publicKeys, notices })
})
