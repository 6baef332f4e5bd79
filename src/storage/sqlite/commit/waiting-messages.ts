/**
 * Counts the messages to the writing thread in memory that both threads share. While a thread is inside a step of
 * processing, it receives nothing: this tells it that something has been sent.
 */
export class WaitingMessages {
  private readonly sent: Int32Array
  private received = 0

  /** @param memory as another instance holds it, when there is one */
  constructor(readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.sent = new Int32Array(memory)
  }

  /** Call before the message is sent, so that no receipt precedes it. */
  noteSent(): void {
    Atomics.add(this.sent, 0, 1)
  }

  noteReceived(): void {
    this.received = (this.received + 1) | 0
  }

  /** Both counts wrap around at 32 bits: only their difference counts. Where the sender does not count, nothing waits. */
  any(): boolean {
    return ((Atomics.load(this.sent, 0) - this.received) | 0) > 0
  }
}
