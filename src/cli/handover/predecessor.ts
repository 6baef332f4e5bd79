import type { Config } from '../../config/config.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { FolderLock } from '../../storage/lock/folder-lock.ts'
import type { PortsInUse } from '../serve/bound.ts'
import { reachService } from './control-socket.ts'
import { inTime } from './in-time.ts'
import { lockSoon } from './lock-soon.ts'
import type { Message, Wire } from './wire.ts'

/** A process that lives answers a connection at once. */
const helloMsMax = 5000
/** What the service before may take to write what it holds (it gives requests under way 6 s). */
const freeMsMax = 9000
/** It says that the folder is free once it is; one that was killed has let go of it as well. */
const lockMsMax = 1000
/** How often the one that stands by hears that records can be stored. */
const aliveMs = 3000

const itGoesOn = 'It goes on serving, and nothing was changed.'

/** The running service, seen by the process that takes over from it. */
export class Predecessor {
  private isDone = false

  private constructor(
    private readonly wire: Wire,
    private readonly dataDir: string,
    /** Where it listens. */
    readonly ports: PortsInUse,
    /** Every connected domain that it knows. */
    readonly hosts: readonly string[],
  ) {}

  /** @returns `null`: no service runs on the data folder. @throws OperatorError when it cannot be asked */
  static async meet(dataDir: string): Promise<Predecessor | null> {
    const wire = await reachService(dataDir)
    if (wire === null) return null
    const hello = await inTime(wire.next(), helloMsMax)
    if (hello === 'late' || hello?.say !== 'hello') {
      wire.close()
      throw new OperatorError(`The service on ${dataDir} does not answer. ${itGoesOn}`)
    }
    return new Predecessor(wire, dataDir, hello.ports, hello.hosts)
  }

  /** Asks it to let go of the data folder, which it does once everything is written. @throws OperatorError when it does not */
  async makeWay(config: Config): Promise<FolderLock> {
    this.wire.send({ say: 'take over', pid: process.pid })
    const answer = await inTime(this.wire.next(), freeMsMax)
    if (answer === 'late') {
      this.wire.close()
      throw new OperatorError(
        `The running service did not let go of the data folder ${this.dataDir} within ${freeMsMax / 1000} s. ${itGoesOn}`,
      )
    }
    if (answer?.say === 'failed') throw new OperatorError(`${answer.why} ${itGoesOn}`)
    return lockSoon(config, lockMsMax)
  }

  migrating(databaseBytes: number): void {
    this.wire.send({ say: 'migrating', megabytes: Math.ceil(databaseBytes / 2 ** 20) })
  }

  migrated(snapshot: string): void {
    this.wire.send({ say: 'migrated', snapshot })
  }

  /** Says that this process can store, before it stores anything: from then on a changed database is not changed back. */
  async ready(probeCommit: () => Promise<void>): Promise<void> {
    await probeCommit()
    this.wire.send({ say: 'ready' })
  }

  /**
   * Says again and again that this process can store, until the other no longer stands by.
   *
   * @returns whether it has said so; else it has died
   */
  async standsDown(probeCommit: () => Promise<void>): Promise<boolean> {
    const sign = setInterval(() => {
      void probeCommit().then(
        () => this.wire.send({ say: 'alive' }),
        () => {},
      )
    }, aliveMs)
    let message: Message | null
    do message = await this.wire.next()
    while (message !== null && message.say !== 'yours')
    clearInterval(sign)
    this.isDone = true
    this.wire.close()
    return message !== null
  }

  /** Whether it still stands by. */
  get standsBy(): boolean {
    return !this.isDone
  }

  /** This process cannot serve: the other is to go on. */
  failed(why: string): void {
    this.wire.send({ say: 'failed', why })
  }

  /** This process was told to stop: nobody is to take its place. */
  stopping(): void {
    this.wire.send({ say: 'stopping' })
  }
}
