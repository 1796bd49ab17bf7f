/** What `svodka check` prints: findings as they come, or one array of JSON at the end, and how far it is to people who wait. */
import { describeFinding, type FileFinding } from '../../definitions/findings.ts'
import { print } from '../../serve/command-line/output.ts'

export interface CheckOutput {
  /** @param findings with paths as they are to be shown */
  show(findings: readonly FileFinding[]): Promise<void>
  /** One line that overwrites itself; an empty text takes it away. */
  progress(text: string): void
  /** @returns all that was shown */
  end(): Promise<readonly FileFinding[]>
}

export function checkOutput(
  { json = false }: { readonly json?: boolean | undefined },
  { TERM }: NodeJS.ProcessEnv,
): CheckOutput {
  const shown: FileFinding[] = []
  const overwrites = process.stderr.isTTY && TERM !== 'dumb'
  let isWaiting = false
  return {
    async show(findings) {
      shown.push(...findings)
      if (json || findings.length === 0) return
      await print(findings.map(finding => `${describeFinding(finding)}\n`).join(''))
    },
    progress(text) {
      if (!overwrites || (text === '' && !isWaiting)) return
      isWaiting = text !== ''
      process.stderr.write(`\r\u001b[K${text}`)
    },
    async end() {
      if (json) {
        const values = shown.map(({ file, line = null, message }) => ({ file, line, message }))
        await print(`${JSON.stringify(values, null, 2)}\n`)
      }
      return shown
    },
  }
}
