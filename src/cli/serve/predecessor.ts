import type { Config } from '../../config/config.ts'
import { inTime } from '../../lib/in-time.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { FolderLock } from '../../storage/lock/folder-lock.ts'
import { lockForServing } from '../data-folder/prepare.ts'
import { type ControlConnection, type Message, meetService } from './control-socket.ts'
import type { PortsInUse } from './ports.ts'

/** Limits how long the old service may take to release the folder (it gives requests in flight 6 s). */
const freeMsMax = 9000
/** The old service announces that the folder is free. A killed one has released it too. */
const lockMsMax = 1000
/** It opens the data folder and listens. Requests wait as long. */
const servesAgainMsMax = 10_000
/** How often to tell the process standing by that records can be stored. */
const aliveMs = 3000

const itGoesOn = 'It continues to serve, and nothing was changed.'

/** The running service, as seen by the process that takes over from it. */
export class Predecessor {
  private isDone = false

  private constructor(
    private readonly connection: ControlConnection,
    private readonly dataDir: string,
    readonly ports: PortsInUse,
    readonly hosts: readonly string[],
  ) {}

  /** @returns `null`: no service runs on the data folder. @throws OperatorError when the service cannot be reached */
  static async meet(dataDir: string): Promise<Predecessor | null> {
    const met = await meetService(dataDir, itGoesOn)
    return met && new Predecessor(met.connection, dataDir, met.hello.ports, met.hello.hosts)
  }

  /** Requests the data folder, which the service releases once everything is written. @throws OperatorError when it does not */
  async makeWay(config: Config): Promise<FolderLock> {
    this.connection.send({ say: 'take over', pid: process.pid })
    const answer = await inTime(this.connection.next(), freeMsMax)
    if (answer === 'late' || answer?.say === 'failed') this.connection.close()
    if (answer === 'late')
      throw new OperatorError(
        `The running service did not release the data folder ${this.dataDir} within ${freeMsMax / 1000} s. ${itGoesOn}`,
      )
    if (answer?.say === 'failed') throw new OperatorError(`${answer.why} ${itGoesOn}`)
    return lockForServing(config, lockMsMax)
  }

  migrating(databaseBytes: number): void {
    this.connection.send({ say: 'migrating', megabytes: Math.ceil(databaseBytes / 2 ** 20) })
  }

  migrated(snapshot: string): void {
    this.connection.send({ say: 'migrated', snapshot })
  }

  /** Announces that this process can store, before it does. From then on a migrated database is not rolled back. */
  async ready(probeCommit: () => Promise<void>): Promise<void> {
    await probeCommit()
    this.connection.send({ say: 'ready' })
  }

  /**
   * Reports repeatedly that this process can store, until the other one stops standing by.
   *
   * @returns `false`: the other process died instead
   */
  async standsDown(probeCommit: () => Promise<void>): Promise<boolean> {
    const sign = setInterval(() => {
      void probeCommit().then(
        () => this.connection.send({ say: 'alive' }),
        () => {},
      )
    }, aliveMs)
    let message: Message | null
    do message = await this.connection.next()
    while (message !== null && message.say !== 'yours')
    clearInterval(sign)
    this.isDone = true
    this.connection.close()
    return message !== null
  }

  get standsBy(): boolean {
    return !this.isDone
  }

  /** This process cannot serve. Resolves once the other one serves again, is gone, or takes too long. */
  async failed(why: string): Promise<void> {
    this.connection.send({ say: 'failed', why })
    await inTime(this.connection.next(), servesAgainMsMax)
  }

  /** This process was asked to stop: the other one must not continue in its place. */
  stopping(): void {
    this.connection.send({ say: 'stopping' })
  }
}
