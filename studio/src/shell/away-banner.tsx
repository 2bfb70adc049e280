// Says that the service is away while requests wait for it.

import { useAway } from '../api/connection.js';
import { useText } from '../text/use-text.js';

export function AwayBanner() {
  const text = useText();
  const isAway = useAway();
  return (
    <div role="status" className="away">
      {isAway && <p className="banner amber">{text.away}</p>}
    </div>
  );
}
