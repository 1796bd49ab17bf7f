// The folder of the demo's data: in the checkout, or under /var/tmp if the servers' user cannot reach the checkout.
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { canLiveIn, type Account } from './account.ts'
import { takeFolder } from './lock.ts'

/**
 * @returns the requested folder or its substitute, owned by the current user; the account can traverse it.
 * @throws FolderInUse if a running process uses the data that would be removed.
 */
export function folderFor(account: Account, requested: string): string {
  const folder = ensureOwnFolder(resolve(requested))
  if (canLiveIn(account, folder)) return folder

  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 12)
  const substitute = ensureOwnFolder(join(sharedFolder(), hash))
  if (!canLiveIn(account, substitute)) {
    throw new Error(`User ${account.name} can use neither ${folder} nor ${substitute}.`)
  }
  // If the requested folder was removed (`make clean`), the data in its substitute are removed, too.
  const pointer = join(folder, 'moved-to')
  if (!existsSync(pointer)) {
    takeFolder(substitute)
    rmSync(substitute, { recursive: true, force: true })
  }
  writeFileSync(pointer, `${substitute}\n`)
  return ensureOwnFolder(substitute)
}

/** A folder of the current user that any user can traverse. */
export function sharedFolder(): string {
  return ensureOwnFolder(`/var/tmp/svodka-${process.getuid?.()}`)
}

/** @throws Error if another user owns the folder: in /var/tmp that may be an attack. */
function ensureOwnFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true })
  } catch (cause) {
    throw new Error(`Cannot make the folder ${path} for the demo's data: ${String(cause)}`, {
      cause,
    })
  }
  const status = lstatSync(path)
  if (!status.isDirectory() || status.uid !== process.getuid?.()) {
    throw new Error(
      `${path} exists and is not a folder of the current user (its owner is user ${status.uid}): remove it.`,
    )
  }
  // why: servers that root starts run as another user, which must be able to traverse the folder, but not to list it
  chmodSync(path, status.uid === 0 ? 0o711 : 0o700)
  return path
}
