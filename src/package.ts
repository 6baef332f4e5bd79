import { madeAtSeconds, readOptions, usage } from './packaging/options.ts'
import { makeRelease, makeReleaseFolder } from './packaging/release.ts'
import { runScript } from './packaging/run-script.ts'

/** Makes the files of a release: see docs/packages.md. */
await runScript(async () => {
  const options = await readOptions(process.argv.slice(2))
  if (options === null) return void process.stdout.write(usage)
  await makeReleaseFolder(options.out, async (folder) => {
    const names = await makeRelease(folder, options, madeAtSeconds())
    process.stdout.write(names.map((name) => `${options.out}/${name}\n`).join(''))
  })
  const { signingKey } = options
  process.stdout.write(
    signingKey === null
      ? 'Nothing was signed: --signing-key names a key. An upgrade from an address takes signed files alone.\n'
      : `Signed with key ${signingKey.public.id}: minisign -V -P ${signingKey.public.line} -m FILE\n`,
  )
})
