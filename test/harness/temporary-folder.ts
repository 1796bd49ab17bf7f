// A folder for one test file, gone when the run ends.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Servers in it may run as another user, who must get through. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'svodka-test-'))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}
