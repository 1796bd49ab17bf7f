// Where the demo's data live: in the checkout, or, if the servers' user cannot get there, under /var/tmp.
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { canLiveIn, type Account } from './account.ts'

/** @returns the folder to use; it is ours, with the account allowed to pass through. */
export function folderFor(account: Account, wanted: string): string {
  const folder = ownFolder(resolve(wanted))
  if (canLiveIn(account, folder)) return folder

  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 12)
  const elsewhere = ownFolder(join(sharedFolder(), hash))
  if (!canLiveIn(account, elsewhere)) {
    throw new Error(`User ${account.name} can use neither ${folder} nor ${elsewhere}.`)
  }
  // Whoever removes the wanted folder (make clean) wants new data, wherever these live.
  const note = join(folder, 'moved-to')
  if (!existsSync(note)) rmSync(elsewhere, { recursive: true, force: true })
  writeFileSync(note, `${elsewhere}\n`)
  return ownFolder(elsewhere)
}

/** A folder of ours that any user can pass through. */
export function sharedFolder(): string {
  return ownFolder(`/var/tmp/svodka-${process.getuid?.()}`)
}

/** Others may have made it first, in /var/tmp even on purpose: then it is not used. */
function ownFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true })
  } catch (cause) {
    throw new Error(`Cannot make the folder ${path} for the demo's data: ${String(cause)}`, {
      cause,
    })
  }
  const found = lstatSync(path)
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new Error(
      `${path} is there already and is not a folder of ours (its owner is user ${found.uid}): remove it.`,
    )
  }
  // Root's servers run as another user, who must get through but need not list it.
  chmodSync(path, found.uid === 0 ? 0o711 : 0o700)
  return path
}
