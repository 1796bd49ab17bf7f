/** A condition for receiving traffic. */
export interface Check {
  /** The printed name, for example `definitions`. */
  readonly name: string
  readonly ok: boolean
  /** Works with reduced guarantees; does not fail readiness. */
  readonly degraded?: boolean
  /** Details for people. */
  readonly reason?: string | undefined
}

/** Such as `[+]keys ok`. */
export function checkLine({ name, ok, degraded, reason }: Check): string {
  if (!ok) return `[-]${name} failed: ${reason ?? 'unknown'}`
  return `[+]${name} ${degraded ? 'degraded' : 'ok'}${reason === undefined ? '' : `: ${reason}`}`
}
