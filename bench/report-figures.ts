export const mark = (met: boolean, text: string): string => (met ? `${text} ✓` : `**${text} ✗**`)
export const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
export const milliseconds = (value: number): string => `${value >= 100 ? value.toFixed(0) : value.toFixed(1)} ms`
export const microseconds = (value: number): string => `${value.toFixed(0)} µs`
