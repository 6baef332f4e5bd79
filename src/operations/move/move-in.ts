import type { ReservedDomain } from '../../account/domain-claims.ts'
import { type MovedAccountNote, readArchive, verifyArchive } from '../../backup/format/archive.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { ArchiveFault } from '../../lib/ustar.ts'
import { accountNamed } from '../account/account-named.ts'
import type { AccountFile, ErasedAgain, MovingPorts } from '../backup/backup-ports.ts'
import type { Box } from '../box.ts'

interface MoveInWanted {
  /** The handle of the account that the file is to hold. */
  account: string
  /** Absolute. */
  file: string
}

export interface MovedIn {
  account: string
  /** `account`: it is new here. `records`: it was here, and got the records that it did not have. */
  arrived: 'account' | 'records'
  /** When the file was written, ISO 8601. */
  createdAt: string
  records: number
  /** Published contents in the file. */
  assets: number
  /** What was erased on one of the two boxes, and from the other's records now. */
  erasedAgain: ErasedAgain
  /** The domains of an account that is new here. */
  connected: string[]
  /** Those of them that were reserved for another account. */
  takenOver: ReservedDomain[]
}

type MovingBox = Pick<
  Box,
  'accounts' | 'domainClaims' | 'sites' | 'assets' | 'clock' | 'backups' | 'moving' | 'processing'
>

/**
 * Takes in what `moveOut` wrote on another box. A second run with the same or a later file adds what is new in it. Nothing is
 * sent for records that arrive.
 *
 * @throws OperatorError when the file is damaged or of another account, or its handle or a domain is taken; then nothing has changed
 */
export async function moveIn(box: MovingBox, wanted: MoveInWanted, onContent: () => void): Promise<MovedIn> {
  const ports = await box.moving()
  // Contents that nothing refers to yet must not be collected, and nobody else finishes what is half done.
  return box.sites.exclusively(`capture account move ${wanted.account}`, async () => {
    ports.folders.removeUnfinished(ports.dataDir)
    const scratch = (await box.backups()).outFiles.scratch(`${ports.dataDir}/arriving`)
    try {
      const unpacked = await unpack(box, ports, { ...wanted, folder: scratch.dir, onContent })
      const arrival = ports.arrival(scratch.dir)
      try {
        // The manifest has been compared; the database decides.
        if (arrival.account.handle !== wanted.account)
          throw new OperatorError(`${wanted.file} is not a file of "${wanted.account}". Nothing was changed.`)
        return { ...unpacked, ...(await takeIn(box, ports, { arrival, ...unpacked, ...wanted })) }
      } finally {
        arrival.close()
      }
    } finally {
      scratch.remove()
    }
  })
}

interface Unpacked {
  createdAt: string
  assets: number
  isWhole: boolean
}

/** Looks through the whole file before anything of it is stored. */
async function unpack(
  { assets, clock }: MovingBox,
  { folders, databases }: MovingPorts,
  { account, file, folder, onContent }: MoveInWanted & { folder: string; onContent: () => void },
): Promise<Unpacked> {
  const source = await folders.open(file)
  try {
    if (source.kind === 'snapshot')
      throw new ArchiveFault('is a database, not what `capture account move --to FILE` writes')
    if (source.kind === 'sealed')
      throw new ArchiveFault('is encrypted: decrypt it first, with `age -d -i IDENTITY FILE`')
    await verifyArchive(source.handle)
    const read = await readArchive(source.handle, {
      database: (chunks) => folders.writeDatabase(folder, chunks),
      sealKey: (key) => folders.writeSealKey(folder, key, folder),
      asset: async (key, content) => {
        await assets.put(key, content)
        onContent()
      },
    })
    refuseOther(account, read.account)
    await databases.accept(folder, { now: clock.now(), holds: async () => true })
    return { createdAt: read.createdAt, assets: read.assets, isWhole: read.account?.since === null }
  } catch (error) {
    if (error instanceof OperatorError || 'code' in (error as object)) throw error
    throw new OperatorError(`${file} cannot be taken in: it ${(error as Error).message}. Nothing was changed.`)
  } finally {
    await source.handle.close()
  }
}

function refuseOther(account: string, note: MovedAccountNote | null): void {
  if (note === null) throw new ArchiveFault('holds a whole box: `capture restore` brings it back')
  if (note.handle !== account) throw new ArchiveFault(`holds the account "${note.handle}"`)
}

const catchUpMs = 1000

async function takeIn(
  { accounts, domainClaims, processing }: MovingBox,
  { databases, dataDir }: MovingPorts,
  { account, arrival, isWhole }: MoveInWanted & { arrival: AccountFile; isWhole: boolean },
): Promise<Omit<MovedIn, 'createdAt' | 'assets'>> {
  const catchUp = () => processing.catchUp(catchUpMs)
  if (arrival.isHere) {
    const { records, erasures } = await arrival.addLater()
    await catchUp()
    const erasedAgain = await databases.eraseAgain(dataDir, erasures)
    return { account, arrived: 'records', records, erasedAgain, connected: [], takenOver: [] }
  }
  if (!isWhole) {
    throw new OperatorError(
      `The file holds only later records of "${account}", and this box does not have the account. Take in the file with the whole account first.`,
    )
  }
  const erased = arrival.erasuresHere()
  const reserved = await domainClaims.listReserved()
  const { records } = await arrival.takeIn(catchUp)
  // The box has counted these erasures before.
  const erasedAgain = { ...(await databases.eraseAgain(dataDir, erased)), erasures: 0 }
  const connected = (await accountNamed(accounts, account)).settings.domains
  const takenOver = reserved.filter(
    ({ host, accountId }) => connected.includes(host) && accountId !== arrival.account.id,
  )
  return { account, arrived: 'account', records, erasedAgain, connected, takenOver }
}
