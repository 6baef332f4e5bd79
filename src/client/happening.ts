/** What may lead to an event, and on which page it happened: a command, a move, or a happening in the document. */
export type Happening = [kind: string, url: string, ...parts: unknown[]]

/** Takes what happened in the document: on which page, and the way of the event from the inside out. */
export type TakeEvent = (url: string, event: Event, path: EventTarget[]) => void
