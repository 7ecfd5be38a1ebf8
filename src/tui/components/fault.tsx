import { Component, type ReactNode } from 'react'

interface Props {
  readonly onFault: (error: unknown) => void
  readonly children: ReactNode
}

/**
 * Hands a fault of a component over instead of painting it: the terminal is given back first. A class, because React
 * asks only classes.
 */
export class Fault extends Component<Props, { readonly isFaulty: boolean }> {
  override state = { isFaulty: false }

  static getDerivedStateFromError(): { readonly isFaulty: boolean } {
    return { isFaulty: true }
  }

  override componentDidCatch(error: unknown): void {
    // Unmounting is not for React to do while it is at it.
    queueMicrotask(() => this.props.onFault(error))
  }

  override render(): ReactNode {
    return this.state.isFaulty ? null : this.props.children
  }
}
