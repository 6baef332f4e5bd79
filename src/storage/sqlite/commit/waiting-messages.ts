/**
 * Counts the messages to the writing thread, in memory that both threads share. A thread inside a step of processing
 * receives nothing: the count tells it that something was sent.
 */
export class WaitingMessages {
  private readonly sent: Int32Array
  private received = 0

  /** @param memory that of another instance, if there is one */
  constructor(readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.sent = new Int32Array(memory)
  }

  /** Call before sending, so that no receipt precedes the count. */
  noteSent(): void {
    Atomics.add(this.sent, 0, 1)
  }

  noteReceived(): void {
    this.received = (this.received + 1) | 0
  }

  /**
   * Both counts wrap around at 32 bits, so only their difference matters. If the sender does not count, nothing waits.
   */
  any(): boolean {
    return ((Atomics.load(this.sent, 0) - this.received) | 0) > 0
  }
}
