const pattern = /^svc_tk_[A-Za-z0-9]{32}$/

/** The tracking key after the address's `#`, which browsers never send to servers; `null`: none. */
export function keyInAddress(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('key') ?? ''
  return pattern.test(key) ? key : null
}

export const isTrackingKey = (text: string): boolean => pattern.test(text)
