/** Called by `make clean`: if processes still use folders of demo data, prints a line for each and exits with code 1. */
import { FolderInUse, takeFolder } from './lock.ts'

for (const folder of process.argv.slice(2)) {
  try {
    takeFolder(folder)()
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
