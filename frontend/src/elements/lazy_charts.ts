/** What is only loaded when somebody looks at it. */

import "./charts.css";
import "./sp-charts";
import "./sp-stream";
