import { actAsDataOwner, type DataOwnerOptions, processUser } from './data-owner.ts'

/** Temporarily acts as the data folder's owner. */
interface ActingOwner {
  /** The owner; `null`: the user of the command, because there is no folder yet. */
  begin(): void
  /** Switches back to the user of the command: only root may be able to move the folder. */
  end(): void
}

/**
 * Like `actAsDataOwner`, but reversible for root. The owner's files are only touched with the owner's rights, so that symbolic
 * links in the folder cannot mislead root.
 */
export function actingOwner(options: Omit<DataOwnerOptions, 'user'>): ActingOwner {
  const { uid } = processUser()
  const gid = process.getgid?.() ?? 0
  const groups = process.getgroups?.() ?? []
  return {
    begin() {
      const become = (ownerId: number, groupId: number): void => {
        process.setgroups?.([groupId])
        process.setegid?.(groupId)
        process.seteuid?.(ownerId)
      }
      actAsDataOwner({ ...options, user: { uid, become } })
    },
    end() {
      if (process.geteuid?.() === uid) return
      process.seteuid?.(uid)
      process.setegid?.(gid)
      process.setgroups?.(groups)
    },
  }
}
