// A folder for one test file, removed at the end of the run.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Servers in it may run as another user, who must be able to traverse it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'svodka-test-'))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}
