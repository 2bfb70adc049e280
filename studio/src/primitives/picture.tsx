// A picture from the service. An `img` element sends the cookie of the signed-in person, which while seeing as another person would show
// the administrator's pictures. Then the picture is fetched like everything else, with `X-View-As`.

import { useCallback, useEffect, useState } from 'react';
import { viewedAs } from '../api/view-as.js';

interface PictureProps {
  readonly src: string;
  readonly alt: string;
  readonly className?: string;
  readonly width?: number;
  readonly height?: number;
  readonly isLazy?: boolean;
  /** Shown when there is nothing at `src`. */
  readonly fallback?: string;
  readonly onFailed?: () => void;
}

export function Picture({ src, alt, className, width, height, isLazy = false, fallback, onFailed }: PictureProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const wanted = failed === src && fallback !== undefined ? fallback : src;
  const fail = useCallback(() => {
    setFailed(src);
    onFailed?.();
  }, [src, onFailed]);
  const url = useSource(wanted, fail);
  return (
    <img
      src={url}
      alt={alt}
      className={className}
      width={width}
      height={height}
      loading={isLazy ? 'lazy' : 'eager'}
      decoding="async"
      onError={wanted === src ? fail : undefined}
    />
  );
}

/** The address itself or, while seeing as another person, a blob URL of the fetched content. */
function useSource(address: string, onFailed: () => void): string | undefined {
  const target = viewedAs()?.target ?? null;
  const [fetched, setFetched] = useState<{ readonly address: string; readonly url: string } | null>(null);
  useEffect(() => {
    if (target === null) return;
    const controller = new AbortController();
    let url: string | null = null;
    const load = async () => {
      const response = await fetch(address, { headers: { 'x-view-as': target }, credentials: 'same-origin', signal: controller.signal });
      if (!response.ok) return onFailed();
      const content = await response.blob();
      if (controller.signal.aborted) return;
      url = URL.createObjectURL(content);
      setFetched({ address, url });
    };
    load().catch(() => !controller.signal.aborted && onFailed());
    return () => {
      controller.abort();
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [address, target, onFailed]);
  if (target === null) return address;
  return fetched?.address === address ? fetched.url : undefined;
}
