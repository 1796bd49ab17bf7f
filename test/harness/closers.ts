// Closes resources at the end, in reverse order, even if some of them fail.

export interface Closers {
  onEnd(close: () => Promise<void> | void): void
  /** Closes all, once. @returns the errors. */
  closeAll(): Promise<readonly unknown[]>
}

export function createClosers(): Closers {
  const closers: (() => Promise<void> | void)[] = []
  return {
    onEnd: close => void closers.push(close),
    async closeAll() {
      const errors: unknown[] = []
      for (;;) {
        const close = closers.pop()
        if (close === undefined) return errors
        try {
          await close()
        } catch (error) {
          errors.push(error)
        }
      }
    },
  }
}
