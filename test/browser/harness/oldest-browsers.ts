/**
 * What Safari 14, Chrome 87 or Firefox 78 does not have (MDN's browser-compat-data), of what a script for forms and events
 * might be tempted to use. Is put into the page before anything else, and takes it all away.
 */
export function takeAwayNewFunctions(): void {
  const newer: [holder: unknown, names: string][] = [
    [AbortSignal, 'timeout any abort'],
    [AbortSignal.prototype, 'throwIfAborted reason'],
    [Array, 'fromAsync'],
    [Array.prototype, 'at findLast findLastIndex toSorted toReversed toSpliced with group'],
    [String.prototype, 'at isWellFormed toWellFormed'],
    [Uint8Array, 'fromHex fromBase64'],
    [Uint8Array.prototype, 'toHex toBase64 setFromHex'],
    [Object.getPrototypeOf(Uint8Array.prototype), 'at findLast findLastIndex toSorted toReversed with'],
    [Object, 'hasOwn groupBy'],
    [Map, 'groupBy'],
    [Set.prototype, 'union intersection difference symmetricDifference isSubsetOf isSupersetOf isDisjointFrom'],
    [Promise, 'any withResolvers try'],
    [RegExp, 'escape'],
    [URL, 'canParse parse'],
    [Crypto.prototype, 'randomUUID'],
    [Blob.prototype, 'bytes'],
    [Response.prototype, 'bytes'],
    [Response, 'json'],
    [Document.prototype, 'adoptedStyleSheets startViewTransition prerendering'],
    [ShadowRoot.prototype, 'adoptedStyleSheets getHTML setHTMLUnsafe setHTML'],
    [Element.prototype, 'checkVisibility setHTML setHTMLUnsafe getHTML role currentCSSZoom'],
    [HTMLElement.prototype, 'inert popover showPopover hidePopover togglePopover attachInternals editContext'],
    [HTMLFormElement.prototype, 'requestSubmit'],
    [SubmitEvent.prototype, 'submitter'],
    [Navigator.prototype, 'userAgentData locks scheduling'],
    [PerformanceNavigationTiming.prototype, 'deliveryType activationStart'],
    [
      window,
      'structuredClone scheduler navigation Iterator WeakRef FinalizationRegistry AggregateError HTMLDialogElement ' +
        'BroadcastChannel CompressionStream DecompressionStream ElementInternals CSSStyleSheet trustedTypes ' +
        'requestIdleCallback cancelIdleCallback fetchLater SubmitEvent reportError',
    ],
  ]
  for (const [holder, names] of newer) {
    for (const name of names.split(' ')) delete (holder as Record<string, unknown>)[name]
  }
  // Attributes as properties: `element.ariaBusy`.
  for (const name of Object.keys(Object.getOwnPropertyDescriptors(Element.prototype))) {
    if (name.startsWith('aria')) delete (Element.prototype as unknown as Record<string, unknown>)[name]
  }
  // The button is a newer argument; so is the signal that takes a listener away.
  const NewFormData = FormData
  window.FormData = new Proxy(NewFormData, { construct: (target, [form]) => new target(form) })
  const { addEventListener } = EventTarget.prototype
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const known = typeof options === 'object' ? { ...options, signal: undefined as never } : options
    if (typeof known === 'object') delete known.signal
    return addEventListener.call(this, type, listener, known)
  }
}
