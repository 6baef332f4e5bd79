/** What the promise resolves with, or `late`. */
export async function inTime<T>(promise: Promise<T>, ms: number): Promise<T | 'late'> {
  let timer: Timer | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), Math.max(0, ms))
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
