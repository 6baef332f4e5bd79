import type { ReservedDomain } from '../../account/domain-claims.ts'
import { type MovedAccountNote, readArchive, verifyArchive } from '../../backup/format/archive.ts'
import { instantOrNull } from '../../lib/instant.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { ArchiveFault } from '../../lib/ustar.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Done } from '../act.ts'
import { type BackupWatch, backUp, type WrittenBackup } from '../backup/back-up.ts'
import type { AccountFile, ErasedAgain, MovingPorts } from '../backup/backup-ports.ts'
import type { Box } from '../box.ts'
import { connectionsJson } from '../domain/judge-domains.ts'
import { accountCaughtUp, type OnRecordNotice } from '../record/catch-up.ts'

type MovingBox = Pick<
  Box,
  'accounts' | 'domainClaims' | 'sites' | 'assets' | 'clock' | 'backups' | 'moving' | 'processing'
>

interface MoveOutWanted {
  /** Its handle. */
  account: string
  /** Absolute. */
  file: string
  /** Only records received since, epoch milliseconds; `null`: the whole account. */
  since: number | null
  /** The program's version. */
  program: string
  onBytes: BackupWatch['onBytes']
}

export interface MovedOut extends WrittenBackup {
  account: string
  /** ISO 8601; `null`: the whole account. */
  since: string | null
  /** From when on the next run takes what was captured here meanwhile, ISO 8601: a day earlier than need be. */
  nextSince: string
}

const dayMs = 86_400_000

/**
 * Writes an account into a file for another box: a backup that holds this account alone. The account goes on here.
 *
 * @throws OperatorError when there is no account of that handle, or as `backUp` does
 */
export const moveOut = {
  name: 'account.move-out' as const,
  async run(
    box: MovingBox,
    { account: named, file, since, program, onBytes }: MoveOutWanted,
    { onNotice }: { onNotice: OnRecordNotice },
  ): Promise<Done<MovedOut>> {
    const { id, handle } = await accountCaughtUp(box, named, onNotice)
    const note = { handle, since: instantOrNull(since) }
    const { copyAccount } = await box.moving()
    const backups = async () => ({ ...(await box.backups()), copyTo: (file: string) => copyAccount(id, since, file) })
    const written = await backUp(
      { ...box, backups },
      { file, skipDamaged: false, recipients: [], program, account: note },
      { onBytes, onDamaged: () => {} },
    )
    const nextSince = new Date(Date.parse(written.createdAt) - dayMs).toISOString()
    return { answer: { account: handle, since: note.since, nextSince, ...written } }
  },
}

interface MoveInWanted {
  account: string
  file: string
  onContent: () => void
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
}

/** Of an account that is new here. */
interface Connected {
  connected: string[]
  /** Domains that were reserved for another account. */
  takenOver: ReservedDomain[]
}

/**
 * Takes in what `moveOut` wrote on another box. A second run with the same or a later file adds what is new in it. Nothing is
 * sent for records that arrive.
 *
 * @throws OperatorError when the file is damaged or of another account, or its handle or a domain is taken; then nothing has changed
 */
export const moveIn = {
  name: 'account.move-in' as const,
  async run(box: MovingBox, wanted: MoveInWanted): Promise<Done<MovedIn> & Pick<Connected, 'takenOver'>> {
    const ports = await box.moving()
    // Contents that nothing refers to yet must not be collected, and nobody else finishes what is half done.
    const moved = await box.sites.exclusively(`capture account move ${wanted.account}`, () =>
      arrive(box, ports, wanted),
    )
    const { connected, takenOver, ...answer } = moved
    const after = connectionsJson({ connected, takenOver })
    return { answer, takenOver, ...(connected.length > 0 && { change: { before: null, after } }) }
  },
}

async function arrive(box: MovingBox, ports: MovingPorts, wanted: MoveInWanted): Promise<MovedIn & Connected> {
  ports.folders.removeUnfinished(ports.dataDir)
  const scratch = (await box.backups()).outFiles.scratch(`${ports.dataDir}/arriving`)
  try {
    const unpacked = await unpack(box, ports, { ...wanted, folder: scratch.dir })
    const arrival = ports.arrival(scratch.dir)
    try {
      // The manifest has been compared; the database decides.
      if (arrival.account.handle !== wanted.account)
        throw new OperatorError(`${wanted.file} is not a file of "${wanted.account}". Nothing was changed.`)
      return { ...unpacked, ...(await takeIn(box, ports, { ...wanted, arrival, isWhole: unpacked.isWhole })) }
    } finally {
      arrival.close()
    }
  } finally {
    scratch.remove()
  }
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
  { account, file, folder, onContent }: MoveInWanted & { folder: string },
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
): Promise<Omit<MovedIn, 'createdAt' | 'assets'> & Connected> {
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
