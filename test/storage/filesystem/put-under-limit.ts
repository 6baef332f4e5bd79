import { OperatorError } from '../../../src/lib/operator-error.ts'
import { openAssetStore } from '../../../src/storage/filesystem/asset-store.ts'

// A program of its own, since the limit holds for a whole process: puts a megabyte, and prints what became of it.
const store = await openAssetStore(process.argv[2] ?? '')
const outcome = await store
  .put({ sha256: 'a'.repeat(64), encoding: 'identity' }, new Uint8Array(1024 * 1024))
  .then(() => 'stored')
  .catch((error) => (error instanceof OperatorError ? error.message : `not for an operator: ${error}`))
process.stdout.write(outcome)
