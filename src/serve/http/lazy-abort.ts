/** An AbortSignal that is made when it is first asked for: most requests end without one, and each adds garbage collection time. */

export interface LazyAbort {
  signal(): AbortSignal
  /** Only the first call does anything. */
  abort(reason: Error): void
}

export function createLazyAbort(): LazyAbort {
  let controller: AbortController | undefined
  let aborted: Error | undefined
  return {
    signal() {
      if (controller === undefined) {
        controller = new AbortController()
        if (aborted !== undefined) controller.abort(aborted)
      }
      return controller.signal
    },
    abort(reason) {
      aborted ??= reason
      controller?.abort(aborted)
    },
  }
}
